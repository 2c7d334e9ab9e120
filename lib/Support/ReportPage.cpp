// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HTML pages that display JSON.

#include "moe/Support/ReportPage.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace moe;

// The files in the folder ReportPage, as assembled by CMake.
static constexpr char kStyle[] =
#include "ReportPageStyle.inc"
    ;
static constexpr char kScript[] =
#include "ReportPageScript.inc"
    ;
static constexpr char kBody[] =
#include "ReportPageBody.inc"
    ;

/// The text before and after the JSON of a page.
static constexpr StringLiteral
    kBeforeData = "<script type=\"application/json\" id=\"data\">\n",
    kAfterData = "</script>";

/// Returns a source of a content security policy that permits exactly this
/// text.
static std::string getHash(StringRef text) {
  auto digest = SHA256::hash(ArrayRef(text.bytes_begin(), text.size()));
  return "'sha256-" + encodeBase64(digest) + "'";
}

static std::string escapeHtml(StringRef text) {
  std::string escaped;
  raw_string_ostream os(escaped);
  printHTMLEscaped(text, os);
  return escaped;
}

std::string moe::support::escapeForPage(StringRef json) {
  // In JSON, '<' occurs only in strings.
  std::string escaped;
  for (char c : json)
    if (c == '<')
      escaped += "\\u003c";
    else
      escaped += c;
  return escaped;
}

void moe::support::printReportPage(raw_ostream &os, StringRef title,
                                   StringRef json) {
  assert(!json.contains('<') && "expected it to be escaped");
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
     << "<meta charset=\"utf-8\">\n"
     << "<meta http-equiv=\"Content-Security-Policy\" content=\""
     << "default-src 'none'; script-src " << getHash(kScript) << "; style-src "
     << getHash(kStyle) << "; base-uri 'none'; form-action 'none'\">\n"
     << "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n"
     << "<title>" << escapeHtml(title) << "</title>\n<style>" << kStyle
     << "</style>\n</head>\n<body>\n"
     << kBody << kBeforeData << json << kAfterData << "\n<script>" << kScript
     << "</script>\n</body>\n</html>\n";
}

cost::Result<std::string>
moe::support::readReportPage(StringRef page, const std::string &name) {
  size_t begin = page.find(kBeforeData);
  if (begin == page.npos)
    return cost::Failure{name + ": expected a page that --report wrote, got "
                                "none of its data"};
  StringRef rest = page.drop_front(begin + kBeforeData.size());
  size_t end = rest.find(kAfterData);
  if (end == rest.npos)
    return cost::Failure{name + ": expected the end of the page's data, got "
                                "the end of the file"};
  return rest.take_front(end).str();
}
