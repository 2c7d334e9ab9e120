// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports the backends that this machine can run.

#include "moe/Execution/Doctor.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Execution/StandIns.h"
#include "moert.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/Program.h"
#include <sched.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace moe::run;

namespace {

/// Prints "name   text"; further lines are indented below the text.
class Page {
public:
  explicit Page(raw_ostream &os) : os(os) {}
  void line(StringRef name, const Twine &text) {
    os << left_justify(name, 12) << text << "\n";
  }
  void more(const Twine &text) { line("", text); }

private:
  raw_ostream &os;
};

struct BackendState {
  bool isReady;
  std::string words;
};

} // namespace

static std::string printGiB(double bytes) {
  return moe::cost::formatFixed(bytes / (1ull << 30), 1) + " GiB";
}

static void printMachine(Page &page) {
  unsigned all = std::thread::hardware_concurrency();
  cpu_set_t set;
  unsigned usable = all;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    usable = static_cast<unsigned>(CPU_COUNT(&set));
  page.line("cores", Twine(usable) + " that this process may use");
  double pageBytes = static_cast<double>(sysconf(_SC_PAGESIZE));
  page.line("memory", printGiB(sysconf(_SC_PHYS_PAGES) * pageBytes) + ", " +
                          printGiB(sysconf(_SC_AVPHYS_PAGES) * pageBytes) +
                          " of it free now");
  rlimit addresses;
  if (getrlimit(RLIMIT_AS, &addresses) == 0 &&
      addresses.rlim_cur != RLIM_INFINITY)
    page.more("this process may take " +
              printGiB(static_cast<double>(addresses.rlim_cur)) +
              " (ulimit -v)");
}

static BackendState askRuntime(const char *backend) {
  char text[1024] = "";
  bool isReady = moert_backend_info(backend, text, sizeof(text)) == MOERT_OK;
  StringRef words = text;
  // The printed line already begins with the name.
  words.consume_front((backend + Twine(": ")).str());
  return {isReady, words.str()};
}

static void printMpi(Page &page) {
  BackendState state = askRuntime("mpi");
  ErrorOr<std::string> mpirun = sys::findProgramByName("mpirun");
  if (state.isReady && mpirun) {
    page.line("mpi", "ready: " + state.words + ", a process for each rank");
    page.more("mpirun is " + *mpirun);
    page.more("use: mpirun -np RANKS moe-run IN --backend=mpi");
    page.more(
        "OpenMPI's wants --allow-run-as-root of root, and --oversubscribe "
        "for more ranks than cores");
    return;
  }
  page.line("mpi", "not ready");
  if (!state.isReady)
    page.more("missing: " + state.words);
  if (!mpirun)
    page.more("missing: mpirun, which starts the ranks; none is in PATH");
  if (state.isReady)
    page.more("install: OpenMPI's programs (Debian: openmpi-bin), or put their "
              "folder into PATH; what is built stays");
  else
    page.more("install: OpenMPI (Debian: libopenmpi-dev openmpi-bin), then "
              "configure and build again");
}

static void printNccl(Page &page) {
  BackendState state = askRuntime("nccl");
  std::string error;
  bool hasDriver =
      sys::DynamicLibrary::getPermanentLibrary("libcuda.so.1", &error)
          .isValid();
  bool hasNccl =
      sys::DynamicLibrary::getPermanentLibrary("libnccl.so.2", &error)
          .isValid();
  page.line("nccl", state.isReady
                        ? "ready: " + state.words + ", a process for each rank"
                        : std::string("not ready"));
  if (!state.isReady)
    page.more("missing: " + state.words);
  page.more(hasDriver ? "NVIDIA's driver is there (libcuda.so.1)"
                      : "install: NVIDIA's driver, which brings libcuda.so.1; "
                        "it needs a GPU of theirs");
  page.more(hasNccl ? "NCCL is there (libnccl.so.2)"
                    : "install: NCCL (libnccl2), which brings libnccl.so.2");
  if (state.isReady)
    page.more("use: moe-run IN --backend=nccl --rank=R --world-size=RANKS "
              "--address=HOST:PORT, once for each R");
}

static void printStandIns(Page &page) {
  moe::cost::Result<std::string> folder = moe::findStandIns();
  if (folder) {
    page.line("stand-ins", "ready: for the CUDA driver, NCCL and cuBLAS, in " +
                               *folder + "; nothing runs on a GPU");
    page.more("use: moe-run IN --backend=nccl --stand-ins");
    return;
  }
  page.line("stand-ins", "not ready");
  page.more("missing: " + folder.getError());
}

void moe::run::printDoctor(raw_ostream &os) {
  Page page(os);
  printMachine(page);
  os << "\n";
  page.line("interp", "ready: the reference interpreter, needs nothing");
  page.more("use: moe-run IN");
  BackendState host = askRuntime("host");
  page.line("host", (host.isReady ? "ready: " : "not ready: ") + host.words +
                        ", a thread for each rank");
  page.more("use: moe-run IN --backend=host");
  printMpi(page);
  printNccl(page);
  printStandIns(page);
}
