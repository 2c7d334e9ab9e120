// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Platforms by name.

#include "moe/Platform/Lookup.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <set>
#include <sstream>
#include <vector>

using namespace moe;
namespace fs = std::filesystem;

/// Returns the file that this code was loaded from: an executable, a shared
/// library or a plugin. Returns an empty path if the loader does not know it.
static fs::path getOwnFile() {
  Dl_info info;
  std::error_code error;
  if (!dladdr(reinterpret_cast<const void *>(&getOwnFile), &info) ||
      !info.dli_fname)
    return {};
  fs::path file = fs::canonical(info.dli_fname, error);
  return error ? fs::path() : file;
}

/// Returns the directories in which names are looked up, in search order.
static std::vector<fs::path> getDirectories() {
  std::vector<fs::path> directories;
  if (const char *path = std::getenv("MOE_PLATFORM_PATH")) {
    std::istringstream list(path);
    for (std::string directory; std::getline(list, directory, ':');)
      if (!directory.empty())
        directories.emplace_back(directory);
  }
  std::error_code error;
  fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    // The installed layout, and a build tree that was moved.
    fs::path prefix = executable.parent_path().parent_path();
    directories.push_back(prefix / "share" / "moe-mlir" / "platforms");
    directories.push_back(prefix.parent_path().parent_path() / "platforms");
  }
  // Relative to a library loaded by another program, in `lib` or a
  // subdirectory.
  if (fs::path own = getOwnFile(); !own.empty())
    for (fs::path prefix : {own.parent_path().parent_path(),
                            own.parent_path().parent_path().parent_path()})
      directories.push_back(prefix / "share" / "moe-mlir" / "platforms");
  directories.emplace_back(MOE_INSTALLED_PLATFORMS);
  directories.emplace_back(MOE_SOURCE_PLATFORMS);
  return directories;
}

/// Lists the directories for a message about a missing name.
static std::string describeDirectories() {
  std::string text;
  std::set<std::string> known;
  for (const fs::path &directory : getDirectories())
    if (known.insert(directory.string()).second)
      text += (text.empty() ? "" : ", ") + directory.string();
  return text + " (MOE_PLATFORM_PATH names others)";
}

/// Returns the file of the platform that a user names.
static cost::Result<std::string> findPlatform(const std::string &pathOrName) {
  if (pathOrName.find('/') != std::string::npos ||
      pathOrName.ends_with(".json"))
    return pathOrName;
  std::set<std::string> names;
  for (const fs::path &directory : getDirectories()) {
    std::error_code error;
    fs::path file = directory / (pathOrName + ".json");
    if (!pathOrName.empty() && fs::exists(file, error))
      return file.string();
    for (fs::directory_iterator it(directory, error), end; !error && it != end;
         it.increment(error))
      if (it->path().extension() == ".json")
        names.insert(it->path().stem().string());
  }
  std::string expected;
  for (const std::string &name : names)
    expected += (expected.empty() ? "" : ", ") + name;
  if (expected.empty())
    return cost::Failure{
        "expected the path of a platform, or the name of one in " +
        describeDirectories() + ", got '" + pathOrName +
        "', and there is none in any of these"};
  return cost::Failure{"expected a path or one of " + expected + ", got '" +
                       pathOrName + "'"};
}

cost::Result<std::string>
moe::platform::findShippedFile(const std::string &name) {
  for (const fs::path &directory : getDirectories()) {
    std::error_code error;
    if (fs::path file = directory / name; fs::exists(file, error))
      return file.string();
  }
  return cost::Failure{"expected " + name +
                       " beside the platforms that ship, found none in " +
                       describeDirectories()};
}

cost::Result<platform::Platform>
moe::platform::findAndLoadPlatform(const std::string &pathOrName,
                                   const std::string &option,
                                   const LoadOptions &options) {
  cost::Result<std::string> file = findPlatform(pathOrName);
  if (!file)
    return cost::Failure{option + ": " + file.getError()};
  return loadPlatform(*file, options);
}
