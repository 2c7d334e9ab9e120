// What planners answer that sweep nothing: dispatches, gradients, memory, traffic;
// and any other answer as it is.

const kWords = key => key.replace(/_us$/, ' us').replace(/_bytes$/, ' bytes').replaceAll('_', ' ');

/** Facts of keys that are numbers, [key, title, words]. */
function listFactsOf(object, keys) {
  return keys.filter(([key]) => typeof object[key] === 'number').map(
      ([key, title, say]) => makeFact(title, say(object[key]), object[key]));
}

function addAnswer(facts, ...more) {
  addSection('answer', 'The answer', el('ul', {class: 'facts'}, facts), more);
}

/** Bars of times or bytes, each with its words. */
function drawBars(caption, rows, say) {
  const most = Math.max(...rows.map(row => row.value));
  return el('svg', {viewBox: `0 0 640 ${rows.length * 36 + 4}`, width: 640, role: 'img',
      'aria-label': `${caption}: ${rows.map(row => `${row.name} ${say(row.value)}`).join(', ')}`},
    rows.map((row, i) => el('g', {},
      el('text', {x: 0, y: i * 36 + 13}, `${row.name}: ${say(row.value)}`),
      el('rect', {class: row.isChosen ? 'bar best' : 'bar', x: 0, y: i * 36 + 18, height: 12,
                  width: most > 0 ? Math.max(0, row.value / most * 630) : 0}))));
}

function addParameters() {
  if (Array.isArray(data.parameters))
    addSection('parameters', 'Inputs', makeTable('Parameters of the platform', [
      {title: 'name', value: row => row.name},
      {title: 'value', value: row => row.value},
      {title: 'source', value: row => row.origin}], data.parameters, {isHigh: true}));
}

function addDispatchPlan() {
  addAnswer([
    makeFact('chosen', data.chosen, undefined, data.topology),
    ...listFactsOf(data, [
      ['target_us', 'target', formatUs], ['even_us', 'even dispatch', formatUs],
      ['optimal_us', 'lower bound', formatUs],
      ['tokens_us', 'target in whole tokens', formatUs]])],
    data.notes.map(note => el('p', {class: 'soft'}, note)));
  const devices = data.target.length;
  const toDevices = rows => sumBlocks(rows, 1, rows[0].length / devices);
  const words = {row: 'device', column: 'device',
                 say: value => `${format(value, 1)} assignments`};
  const target = toDevices(data.target), tokens = toDevices(data.tokens);
  const even = target.map(row => {
    const share = row.reduce((a, b) => a + b, 0) / devices;
    return row.map(() => share);
  });
  const most = Math.max(...target.flat(), ...tokens.flat());
  const show = (title, rows) => [title, () => [
      drawMatrix(title, rows, {...words, most}), listMatrix(title, rows, words)]];
  addSection('dispatch', 'Assignments per pair of devices', makeChooser('Shown', [
    show('The target', target), show('The target in whole tokens', tokens),
    show('An even dispatch', even)]));
  if (data.counts && data.counts.length)
    addCounts(addSection('traffic', 'Routing trace of the comparison'),
              data.counts, data.columns);
  if (data.policies)
    addSection('policies', 'Policies', makeTable('Each policy on the routing trace', Object.keys(
        data.policies[0]).map(key => ({
          title: kWords(key), number: typeof data.policies[0][key] === 'number',
          value: row => row[key] === undefined ? '' : row[key],
          show: row => typeof row[key] === 'number' ? exact(format(row[key], 4), row[key]) :
                                                      String(row[key] ?? '')})), data.policies));
  addSection('links', 'Links', makeTable('Levels from the innermost, at the message size of an even dispatch', [
    {title: 'level', value: row => row.name},
    {title: 'GB/s', number: true, value: row => row.gigabytes_per_second,
     show: row => exact(format(row.gigabytes_per_second), row.gigabytes_per_second)},
    {title: 'latency us', number: true, value: row => row.alpha_us,
     show: row => exact(format(row.alpha_us), row.alpha_us)}], data.links));
  addParameters();
}

function addGradientPlan() {
  addAnswer(listFactsOf(data, [
    ['time_us', 'backward pass', formatUs],
    ['lower_bound_us', 'lower bound of all partitions', formatUs],
    ['exposed_us', 'exposed gradient all-reduce', formatUs]]));
  const rows = [
    {name: 'as planned', value: data.time_us, isChosen: true},
    {name: 'overlapped where possible, the rest at the end', value: data.step1_us},
    {name: 'all gradients at the end', value: data.not_overlapped_us},
    {name: 'without gradients', value: data.without_gradients_us}];
  addSection('times', 'Compared with other partitions', el('figure', {},
      drawBars('Times of the backward pass', rows, formatUs)),
      makeTable('Parts of the plan', [
        {title: 'part', value: row => row[0]},
        {title: 'us', number: true, value: row => row[1],
         show: row => exact(format(row[1]), row[1])}],
        [['dense parts', data.dense_us], ['MoE parts', data.moe_us],
         ['after both', data.after_us]]));
  addSection('pieces', 'Gradient buckets', makeTable('Buckets in the order in which they are sent', [
    {title: 'layer', number: true, value: row => row.from},
    {title: 'overlaps with', value: row => row.slot === 'after' ? 'after the backward pass' :
        `the ${row.slot} part of layer ${row.layer}`},
    {title: 'elements', number: true, value: row => row.elements,
     show: row => exact(format(row.elements, 0), row.elements)},
    {title: 'us', number: true, value: row => row.elements,
     show: row => format(data.all_reduce.alpha_us +
                         data.all_reduce.us_per_element * row.elements)},
    {title: '', label: 'note', show: row => row.extrapolated ? 'extrapolated' : ''}], data.pieces, {isHigh: true}));
  addSection('degrees', 'Chunks of layers', makeTable('Chunks of each layer with experts', [
    {title: 'layer', number: true, value: row => row[0]},
    {title: 'chunks', number: true, value: row => row[1]}],
    data.degrees.map((degree, i) => [i, degree]), {isHigh: true}));
}

function addMemory() {
  const rank = data.per_rank, verdict = data.verdict;
  const configured = rank.as_configured;
  const facts = listFactsOf(rank, [['states_bytes', 'weights, gradients, optimizer state', formatBytes]]);
  if (configured)
    facts.push(...listFactsOf(configured, [['activation_bytes', 'activations', formatBytes],
                                           ['total_bytes', 'total', formatBytes]]));
  if (verdict)
    facts.unshift(makeFact(verdict.platform, verdict.fits ? 'fits' : 'does not fit', undefined,
        `a rank has ${formatBytes(verdict.memory_per_rank_bytes)}`));
  addAnswer(facts, verdict && verdict.would_fit.length ?
      [el('p', {}, 'It would fit with:'),
       el('ul', {}, verdict.would_fit.map(change => el('li', {}, change)))] : null);
  const parts = [{name: 'outside of experts', value: rank.non_moe_bytes},
                 {name: 'experts', value: rank.moe_bytes}];
  for (const key of ['quantized_weights_bytes', 'gathered_weights_bytes',
                     'unsummed_gradients_bytes'])
    if (rank[key])
      parts.push(
          {name : kWords(key.replace(/_bytes$/, '')), value : rank[key]});
  for (const [key, bytes] of Object.entries(configured || {}))
    if (typeof bytes === 'number' &&
        !['activation_bytes', 'total_bytes'].includes(key))
      parts.push({name: `activations: ${kWords(key.replace(/_bytes$/, ''))}`, value: bytes});
  if (verdict)
    parts.push({name: `a rank of ${verdict.platform} has`, value: verdict.memory_per_rank_bytes,
                isChosen: true});
  addSection('parts', 'Memory of one rank', el('figure', {},
      drawBars('Bytes per rank', parts, formatBytes)));
  if (rank.stages)
    addSection('stages', 'Pipeline stages', makeTable('Bytes per rank of each stage', [
      {title: 'stage', number: true, value: row => row[0]},
      ...Object.keys(rank.stages[0]).map(key => ({
        title: kWords(key), number: true, value: row => row[1][key],
        show: row => exact(formatBytes(row[1][key]), row[1][key])}))],
      [...rank.stages.entries()]));
  const forms = Object.entries(rank).filter(([key, value]) =>
      typeof value === 'object' && !['as_configured', 'stages'].includes(key));
  if (forms.length)
    addSection('forms', 'Activations under other settings', makeTable('Bytes per rank, MoNTA’s eq. (2)', [
      {title: 'setting', value: row => kWords(row[0])},
      ...Object.keys(forms[0][1]).map(key => ({
        title: kWords(key), number: true, value: row => row[1][key],
        show: row => exact(formatBytes(row[1][key]), row[1][key])}))], forms));
  addObject('model', 'Parameters of the model', data.parameters);
  addObject('layout', 'The layout', data.parallelism);
  if (data.not_counted.length)
    addSection('not-counted', 'Not counted',
               el('ul', {}, data.not_counted.map(what => el('li', {}, what))));
}

function addTrafficJudged() {
  const rows = ['busiest_rank', 'exchange', 'busiest_expert'].filter(key => data[key]);
  addAnswer([makeFact('iterations', format(data.steps, 0), data.steps),
             makeFact('ranks', format(data.ranks, 0), data.ranks,
                      data.experts ? `${format(data.experts, 0)} experts` : '')],
    makeTable('Load over an even share, over layers and iterations', [
      {title: 'quantity', value: key => kWords(key)},
      ...['mean', 'p95', 'worst'].map(word => ({title: word, number: true,
          value: key => data[key][word],
          show: key => exact(format(data[key][word]), data[key][word])}))], rows));
  const layers = data.busiest_rank_by_layer || [];
  if (layers.length > 1)
    addSection('layers', 'Layers',
               makeTable('Tokens of the busiest rank over an even share',
                         [
                           {title : 'layer', value : row => row.layer},
                           ...['mean', 'p95', 'worst'].map(
                               word => numberColumn(word, word))
                         ],
                         [...layers ].sort((a, b) => b.mean - a.mean),
                         {isHigh : true, page : 100}));
  if (data.counts && data.counts.length)
    addCounts(addSection('traffic', 'Routing trace'), data.counts, data.columns);
  if (data.why_no_counts)
    document.getElementById('answer').append(el('p', {class: 'soft'},
        `This page has no counts: ${data.why_no_counts}.`));
}

//--- Any answer -----------------------------------------------------------------

const isPlain = value => value === null || typeof value !== 'object';
const showPlain = value => typeof value === 'number' ? exact(format(value, 4), value) :
    Array.isArray(value) ? value.map(one => isPlain(one) ? String(one) : JSON.stringify(one)).join(', ') :
    isPlain(value) ? String(value ?? '–') : JSON.stringify(value);

/** The members of an object that are no lists, as a table. */
function addObject(id, title, object) {
  const rows = Object.entries(object).filter(([, value]) => isPlain(value) ||
      Array.isArray(value) && value.length && value.every(isPlain));
  if (rows.length)
    addSection(id, title, makeTable(title, [
      {title: 'name', value: row => kWords(row[0])},
      {title: 'value', value: row => isPlain(row[1]) ? row[1] ?? '' : String(row[1]),
       show: row => showPlain(row[1])}], rows, {isHigh: true}));
}

function addAnything() {
  addObject('answer', 'The answer', data);
  Object.entries(data).forEach(([key, value], i) => {
    if (Array.isArray(value) && value.length && value.every(one => !isPlain(one) && !Array.isArray(one))) {
      const keys = [...new Set(value.flatMap(one => Object.keys(one)))];
      addSection(`part-${i}`, kWords(key), makeTable(kWords(key), keys.map(name => {
        const isNumber = value.every(one => one[name] === undefined || typeof one[name] === 'number');
        return {title: kWords(name), number: isNumber,
                value: row => isPlain(row[name]) ? row[name] ?? '' : JSON.stringify(row[name]),
                show: row => row[name] === undefined ? '' : showPlain(row[name])};
      }), value, {isHigh: true, page: 200}));
    } else if (!isPlain(value) && !Array.isArray(value)) {
      addObject(`part-${i}`, kWords(key), value);
    }
  });
}

/** The planner whose answer this is, by what only it says. */
function addPlanner() {
  const [, add] = [['by_degree', addPlan], ['strategies', addPlan],
                   ['target', addDispatchPlan], ['circuits', addCircuitPlan],
                   ['pieces', addGradientPlan], ['per_rank', addMemory],
                   ['busiest_rank', addTrafficJudged], ['layouts', addLayouts],
                   ['spent_us', addStep],
                   ['peak_tflops', addJob], ['methods', addPrediction],
                   ['parts_of_a_server', addCost], ['fabrics', addCost],
                   ['classes', addFabricPlan]]
      .find(([key]) => data[key] !== undefined) || [null, addAnything];
  add();
}
