/* The C API, all of it: a model in, a plan, a prediction, passes, a run with an
 * array, a proof, planners, errors with their places, and many contexts.
 *
 * usage: api CONTEXTS WHOLE: so many contexts with a model and an error each,
 * and so many with everything; the first of these prints what it is told. */
#include "moe-c/MoE.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int errors, remarks;

static void onDiagnostic(const MoeDiagnostic *said, void *data) {
  const char *names[] = {"note", "warning", "error", "remark"};
  errors += said->severity == MOE_ERROR;
  remarks += said->severity == MOE_REMARK;
  if (*(int *)data && said->severity != MOE_REMARK)
    printf("%s:%u:%u: %s: %.600s\n", said->file, said->line, said->column,
           names[said->severity], said->message);
}

static void require(int condition, const char *what) {
  if (condition)
    return;
  printf("expected %s\n", what);
  exit(1);
}

static MoeModule *parse(MoeContext *context, const char *text) {
  return moeModuleParse(context, text, strlen(text), "in.mlir");
}

static const char *kConfig =
    "{\"model_type\": \"mixtral\", \"hidden_size\": 8,\n"
    " \"num_hidden_layers\": 1, \"num_local_experts\": 4,\n"
    " \"num_experts_per_tok\": 2, \"intermediate_size\": 8}";

static MoeModule *import(MoeContext *context, const char *config,
                         int64_t tp) {
  MoeImportOptions options = {0};
  options.size = sizeof options;
  options.ep = 2;
  options.tp = tp;
  options.micro_batch = 1;
  options.seq_len = 8;
  options.dtype = "f32";
  options.capacity_factor = "2";
  return moeModuleImportConfig(context, config, strlen(config), "config.json",
                               &options);
}

static void tryModel(MoeContext *context, int prints) {
  MoeModule *module = import(context, kConfig, 2);
  require(module != NULL, "a module");
  char *text = moeModulePrint(module, 0);
  require(strstr(text, "moe.layer \"0\"") != NULL, "a layer in the text");
  moeFreeString(text);

  char *plan = moeModulePlan(module, "fsmoe-b", NULL);
  require(plan && strstr(plan, "\"predicted_us\""), "a plan");
  require(strstr(plan, "\"form\"") != NULL, "a form in the plan");
  moeFreeString(plan);
  char *times = moeModuleSimulate(module, "fsmoe-b");
  require(times && strstr(times, "\"makespan_us\""), "a prediction");
  moeFreeString(times);

  MoeModule *changed = moeModuleClone(module);
  require(moeContextSetRemarks(context, "moe-.*") == MOE_SUCCESS, "remarks");
  require(moeModuleRunPipeline(
              changed, "builtin.module(moe-decompose-all-to-all)") ==
              MOE_SUCCESS,
          "passes that run");
  require(remarks > 0, "remarks of the pass");
  char *report = NULL;
  require(moeModuleProve(module, changed, 2, 0, &report) == 1, "a proof");
  if (prints)
    printf("%s", report);
  moeFreeString(report);
  moeModuleDestroy(changed);

  float *tokens = calloc(4 * 8 * 8, sizeof(float));
  int64_t shape[] = {4, 8, 8};
  MoeInput input = {0, {"f32", 3, shape, tokens}};
  MoeResults *results = moeModuleRun(module, &input, 1, NULL);
  require(results && moeResultsGetCount(results) == 1, "one result");
  MoeArray result;
  require(moeResultsGet(results, 0, &result) == MOE_SUCCESS, "the result");
  require(moeResultsGet(results, 1, &result) == MOE_FAILURE, "no other");
  require(result.rank == 3 && result.shape[0] == 4 && result.shape[2] == 8 &&
              strcmp(result.type, "f32") == 0,
          "a result of four ranks");
  /* No token, nothing that comes back. */
  for (int i = 0; i < 4 * 8 * 8; ++i)
    require(((const float *)result.data)[i] == 0, "zeros");
  moeResultsDestroy(results);

  MoeRunOptions host = {0};
  host.size = sizeof host;
  host.backend = "host";
  results = moeModuleRun(module, NULL, 0, &host);
  require(results != NULL, "compiled code that runs");
  moeResultsDestroy(results);
  shape[0] = 3;
  require(!moeModuleRun(module, &input, 1, NULL), "a wrong shape refused");
  free(tokens);
  moeModuleDestroy(module);
}

static void tryErrors(MoeContext *context) {
  require(!parse(context, "module {\n  moe.gate\n}"), "no module");
  require(!import(context, "{\"model_type\": \"mixtral\"}", 2), "no model");
  require(!import(context, kConfig, 3), "no layout");
  MoeModule *empty = parse(context, "module {}");
  require(empty != NULL, "an empty module");
  require(moeModuleRunPipeline(empty, "no-such-pass") == MOE_FAILURE,
          "no such pass");
  require(moeModuleRunPipeline(empty, "moe-compile{to=nowhere}") ==
              MOE_FAILURE,
          "no such phase");
  require(moeModuleRunPipeline(empty, "func.func(moe-compile{to=schedule})") ==
              MOE_FAILURE,
          "passes of modules in modules");
  require(!moeModulePlan(empty, "no-such-machine", NULL), "no such platform");
  require(!moeModuleSimulate(empty, "fsmoe-b"), "nothing to simulate");
  require(!moeModuleRun(empty, NULL, 0, NULL), "nothing to run");
  require(!moeModuleParse(context, NULL, 0, NULL), "no text");
  require(!moeModuleParse(context, "x", 1, NULL), "no name and no module");
  require(!moeModulePlan(empty, NULL, NULL), "no platform");
  require(moeModuleRunPipeline(empty, NULL) == MOE_FAILURE, "no pipeline");
  require(moeContextSetRemarks(context, "(") == MOE_FAILURE, "no expression");
  moeModuleDestroy(empty);
}

static void askPlanners(MoeContext *context) {
  MoeOption options[] = {{"ep", "8"}, {"cp", "2"}, {"tp", "4"}};
  char *answer = moePlannerAsk(context, "expand", options, 3);
  require(answer && strstr(answer, "\"expansion\": \"horizontal\""),
          "an answer of a planner");
  moeFreeString(answer);
  char *planners = moePlannersList();
  require(strstr(planners, "\"planner\": \"expand\"") != NULL, "planners");
  moeFreeString(planners);
  require(!moePlannerAsk(context, NULL, NULL, 0), "no planner");
  require(!moePlannerAsk(context, "expand", NULL, 1), "no options");
  options[0].value = NULL;
  require(!moePlannerAsk(context, "expand", options, 3), "no value");
  require(!moePlannerAsk(context, "none", NULL, 0), "no such planner");
  options[0].value = "0";
  require(!moePlannerAsk(context, "expand", options, 3), "no such degree");
}

int main(int argc, char **argv) {
  require(argc == 3, "CONTEXTS and WHOLE");
  int contexts = atoi(argv[1]), whole = atoi(argv[2]);
  int prints = 1;
  for (int i = 0; i < whole; ++i) {
    MoeContext *context = moeContextCreate();
    moeContextSetHandler(context, onDiagnostic, &prints);
    errors = remarks = 0;
    tryModel(context, prints);
    require(errors == 1, "one error so far");
    tryErrors(context);
    askPlanners(context);
    moeContextDestroy(context);
    prints = 0;
  }
  moeContextDestroy(NULL);
  moeModuleDestroy(NULL);
  moeFreeString(NULL);

  for (int i = 0; i < contexts; ++i) {
    MoeContext *one = moeContextCreate();
    moeContextSetHandler(one, onDiagnostic, &prints);
    MoeModule *module = import(one, kConfig, 1);
    require(module != NULL, "a module in every context");
    require(!parse(one, "what"), "an error in every context");
    moeModuleDestroy(module);
    moeContextDestroy(one);
  }
  printf("%d contexts, %d with everything, version %s\n", contexts + whole,
         whole, moeGetVersion());
  return 0;
}
