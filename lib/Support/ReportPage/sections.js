// The parts of the page about programs: totals, timeline, layers, streams,
// bytes, and all tasks as a table.

/** When memory is fullest, in words: the instant, and what starts then. */
function sayPeak(program) {
  const at = program.memory.find(([, bytes]) => bytes === program.json.peak_bytes);
  if (!at)
    return 'results of tasks, per rank';
  const task = taskNumbers(program).find(i => program.start[i] === at[0] &&
                                              program.end[i] > at[0]);
  return `results of tasks, per rank, at ${formatUs(at[0])}` + (task === undefined ? '' :
      `, when ${nameTask(program, task)} of ${program.layer[task] === '' ? 'no layer' :
          `layer ${program.layer[task]}, ${kindOf(program, task).phase},`} starts`);
}

/** What changes of circuits are of a layer's critical path, in words. */
function sayChangesOf(program, {layer, phase}) {
  const us = taskNumbers(program).reduce((sum, i) => {
    const kind = kindOf(program, i);
    return sum + (program.isCritical[i] && program.layer[i] === layer && kind.phase === phase &&
        kind.name.startsWith('reconfigure.') ? program.end[i] - program.start[i] : 0);
  }, 0);
  return us > 0 ? ` ${formatUs(us)} of it is a circuit reconfiguration.` : '';
}

function addTotals() {
  const [program, baseline] = programs;
  const bound = data.lower_bound_us;
  const facts = [
    makeFact('step time', formatUs(data.makespan_us), data.makespan_us,
         `${format(data.tasks, 0)} tasks, ${format(data.ranks, 0)} ranks`),
    makeFact('lower bound', formatUs(bound), bound, bound > 0 ?
         `the step time is ${format(Math.max(0, data.makespan_us / bound - 1) * 100, 2)} % above` :
         'no tasks'),
    makeFact('peak memory', formatBytes(data.peak_bytes), data.peak_bytes,
         sayPeak(program)),
  ];
  // A run does one micro-batch of a step of several.
  const runs = data.stages ? data.stages.micro_batches : 1;
  if (data.tokens_per_s !== undefined)
    facts.push(makeFact('tokens/s', format(data.tokens_per_s, 0),
                    data.tokens_per_s, `${format(runs * data.step_tokens, 0)} per step`));
  if (data.mfu !== undefined)
    facts.push(makeFact('MFU', `${format(data.mfu * 100, 2)} %`, data.mfu,
                    el('span', {title: `model FLOPs per step: ${runs * data.model_flops}; ` +
                        `TFLOP/s per rank: ${data.peak_origin || 'no origin stated'}`},
                       `${(runs * data.model_flops).toPrecision(3)} FLOPs by ${format(data.ranks, 0)} ranks ` +
                           `of ${Number(data.peak_tflops.toPrecision(6))} TFLOP/s`)));
  if (data.leaves_out)
    facts.push(makeFact('left out', '', undefined, data.leaves_out));
  if (data.extrapolated_tasks)
    facts.push(makeFact('extrapolated', `${format(data.extrapolated_tasks, 0)} tasks`,
                    data.extrapolated_tasks, 'their sizes are outside of the measured range'));
  if (data.circuit_changes)
    facts.push(makeFact('optical circuits', data.circuit_changes === 1 ? 'one reconfiguration' :
                        `${format(data.circuit_changes, 0)} reconfigurations`,
                    data.circuit_changes, 'during the step'));
  if (data.stages)
    facts.push(makeFact(`step of ${format(data.stages.micro_batches, 0)} micro-batches`,
                    formatUs(data.stages.step_us), data.stages.step_us,
                    `${format(data.stages.stages, 0)} stages (${data.stages.order}), each idle for ` +
                        `${format(percent(data.stages.bubble_us, data.stages.step_us), 1)} % of it`));
  if (data.orders)
    facts.push(makeFact('best order found', formatUs(data.orders.best_us), data.orders.best_us,
                    data.orders.exact ? 'proved: no order of these tasks is faster' :
                        `lower bound of all orders ${formatUs(data.orders.bound_us)}`));
  for (const other of programs.slice(1))
    facts.push(makeFact(other.title, formatUs(other.makespanUs), other.makespanUs,
                    data.makespan_us > 0 ?
        `${format(other.makespanUs / data.makespan_us, 3)} times the step time` : ''));
  if (data.over_trace)
    facts.push(makeFact(`over ${format(data.over_trace.steps, 0)} iterations`,
                    formatUs(data.over_trace.mean_us), data.over_trace.mean_us,
                    `on average; p95 ${formatUs(data.over_trace.p95_us)}, worst ` +
                        `${formatUs(data.over_trace.worst_us)} in iteration ${data.over_trace.worst_step}`));
  const section = addSection('totals', 'Summary', el('ul', {class: 'facts'}, facts));
  const layers = sumLayers(program).filter(row => row.layer !== '' &&
                                                  row.criticalUs > 0);
  if (layers.length) {
    const slowest = layers[0];
    const streams = [...data.streams].sort((a, b) => b.busy_us - a.busy_us);
    if (runs > 1)
      section.append(el('p', {}, `All ${format(runs, 0)} micro-batches of the step are alike. The rest of this page shows ` +
          'one of them: its forward and backward pass, without the wait for other stages.'));
    section.append(el('p', {}, `The critical path consists of ${sumPath(program).slice(0, 3).map(row =>
        `${format(percent(row.time, data.makespan_us), 1)} % ${row.task} on ${row.stream}`)
        .join(', ')}. The busiest stream is ${streams[0].name}, busy ` +
        `${format(percent(streams[0].busy_us, data.makespan_us), 1)} % of the time.`));
    const alike = layers.filter(row => row.phase === slowest.phase &&
        Math.abs(row.criticalUs - slowest.criticalUs) < 1e-4);
    section.append(el('p', {}, (alike.length > 1 ?
        `The slowest layers are ${formatNames(alike.map(row => row.layer))}, ${slowest.phase}, alike: each ` :
        `The slowest layer is ${slowest.layer}, ${slowest.phase}: `) +
        `${formatUs(slowest.criticalUs)} of the critical path, ` +
        `${format(percent(slowest.criticalUs, data.makespan_us), 1)} %.` +
        sayChangesOf(program, slowest) + sayOutside(program)));
    for (const why of [explainLayer(slowest), explainAlike(slowest, layers),
                       explainStep(), explainCircuits()])
      if (why)
        section.append(el('p', {}, why));
  }
}

/** What of the critical path is outside of layers, where that is more than the
 * slowest of them. */
function sayOutside(program) {
  const rows = sumLayers(program);
  const us = rows.filter(row => row.layer === '').reduce((sum, row) => sum + row.criticalUs, 0);
  const most = Math.max(...rows.filter(row => row.layer !== '').map(row => row.criticalUs));
  return us > most ? ` Tasks outside of layers take ${formatUs(us)} of it, ` +
      `${format(percent(us, data.makespan_us), 1)} %.` : '';
}

function addTimeline() {
  const details = el('div', {class: 'panel', 'aria-live': 'polite'},
      el('p', {class: 'soft'}, 'No task is selected. Click one, or press an arrow key on the timeline.'));
  const canvas = el('canvas', {
    tabindex: 0, role: 'application', id: 'canvas',
    'aria-label': `Timeline of ${programs.map(p => p.title).join(' and ')}. ` +
        'Arrow keys move from task to task; the text below describes the selected task.',
  });
  const button = (text, action, label) => el('button',
      {type: 'button', onclick: action, 'aria-label': label}, text);
  const colouring = el('select', {onchange: () => {
    timeline.colouring = colouring.value;
    timeline.request();
  }}, ['layer', 'name', 'stream'].map(word => el('option', {value: word},
      {layer: 'layers and phases', name: 'names of tasks', stream: 'streams'}[word])));
  const tools = el('div', {class: 'tools'},
      button('+', () => timeline.zoom(0.5), 'Zoom in'),
      button('−', () => timeline.zoom(2), 'Zoom out'),
      button('All', () => timeline.showAll()),
      button('Next on the critical path', () => timeline.stepCritical()),
      el('label', {}, 'Colors of ', colouring));
  addSection('timeline', 'Timeline', tools,
      el('figure', {}, canvas, el('figcaption', {},
         'One lane per stream, one bar per task, backward darker. A line below a bar marks the critical path: ' +
         'each of its tasks starts when the previous one ends, from 0 to the step time. ' +
         'Drag to move; ', el('kbd', {}, 'Ctrl'), ' and the wheel zoom; keys ',
         el('kbd', {}, '←'), ' ', el('kbd', {}, '→'), ' ', el('kbd', {}, '↑'), ' ', el('kbd', {}, '↓'),
         ' select, ', el('kbd', {}, '+'), ' ', el('kbd', {}, '-'), ' ', el('kbd', {}, '0'),
         ' zoom, ', el('kbd', {}, 'Enter'), ' shows the task, ', el('kbd', {}, 'w'),
         ' what it waited for, ', el('kbd', {}, 'c'), ' the next one of the critical path.')),
      details);
  const timeline = new Timeline(canvas, programs, (program, task) =>
      showTask(details, timeline, program, task));
  return timeline;
}

/** Times along the critical path by names of tasks and streams, the longest first. */
function sumPath(program) {
  const us = i => program.end[i] - program.start[i];
  const byName = sumBy(program.critical,
      i => `${getBaseName(kindOf(program, i))}\n${program.streams[kindOf(program, i).stream].name}`, us);
  return [...byName].map(([key, time]) => {
    const [task, stream] = key.split('\n');
    return {task, stream, time};
  }).filter(row => row.time > 0).sort((a, b) => b.time - a.time);
}

function addCriticalPath(timeline) {
  const section = addSection('critical', 'Where the time goes');
  for (const program of predicted) {
    const total = program.makespanUs;
    const rows = sumPath(program);
    if (predicted.length > 1)
      section.append(el('h3', {}, program.title));
    if (!rows.length) {
      section.append(el('p', {}, 'No task takes any time.'));
      continue;
    }
    section.append(makeTable('The critical path by name of task', [
      {title: 'task', value: row => row.task},
      {title: 'stream', value: row => row.stream},
      {title: 'us', number: true, value: row => row.time,
       show: row => exact(format(row.time), row.time)},
      {title: '%', number: true, value: row => row.time,
       show: row => format(percent(row.time, total), 1)},
      {title: '', show: row => meter(row.time / total)},
    ], rows));
    const streams = [...new Set(program.streams.map(s => s.name))];
    section.append(makeTable('Layers and phases', [
      {title: 'layer', value: row => row.layer, show: row => el('button', {
        type: 'button', class: 'link', onclick: () => {
          timeline.show(row.from, row.to);
          timeline.select(program, row.first);
          document.getElementById('timeline').scrollIntoView();
        }}, nameLayer(row.layer))},
      // What is outside of layers is of no phase of one.
      {title: 'phase', value: row => row.layer === '' ? '' : row.phase},
      {title: 'critical us', number: true, value: row => row.criticalUs,
       show: row => exact(format(row.criticalUs), row.criticalUs)},
      {title: 'from us', number: true, value: row => row.from,
       show: row => exact(format(row.from), row.from)},
      {title: 'to us', number: true, value: row => row.to,
       show: row => exact(format(row.to), row.to)},
      // Of streams: that of circuits may hold links for as long as they change.
      ...streams.map(stream => ({
        title: `${stream} us`, number: true,
        value: row => row.byStream.get(stream) || 0,
        show: row => format(row.byStream.get(stream) || 0)})),
      {title: 'tasks', number: true, value: row => row.tasks},
    ], sumLayers(program), {isHigh: true, page: 100}));
  }
}

/** Times of tasks of one name and phase together: [us, how many]. */
function sumTasks(program) {
  const sums = new Map();
  for (let i = 0; i < program.count; ++i) {
    const kind = kindOf(program, i);
    const key = `${getBaseName(kind)}\n${kind.phase}`;
    const sum = sums.get(key) || {us: 0, count: 0};
    sum.us += program.end[i] - program.start[i];
    sum.count += 1;
    sums.set(key, sum);
  }
  return sums;
}

function addMeasured() {
  if (!data.measured)
    return;
  const measured = sumTasks(programs[programs.length - 1]);
  const expected = sumTasks(programs[0]);
  const none = {us: 0, count: 0};
  const rows = [...new Set([...expected.keys(), ...measured.keys()])].map(key => ({
    key: key.split('\n'), expected: expected.get(key) || none,
    measured: measured.get(key) || none}));
  addSection('measured', 'Predicted and measured', el('p', {},
      `A run took ${formatUs(data.measured.makespan_us)} on its slowest rank; ` +
      `the prediction is ${formatUs(data.makespan_us)}` + (data.makespan_us > 0 ?
          ` (measured over predicted: ${format(data.measured.makespan_us / data.makespan_us, 3)}).` : '.')),
      makeTable('Tasks by name', [
        {title: 'task', value: row => row.key[0]},
        {title: 'phase', value: row => row.key[1]},
        {title: 'predicted us', number: true, value: row => row.expected.us,
         show: row => exact(format(row.expected.us), row.expected.us)},
        {title: 'measured us', number: true, value: row => row.measured.us,
         show: row => exact(format(row.measured.us), row.measured.us)},
        {title: 'ratio', number: true,
         value: row => row.expected.us > 0 ? row.measured.us / row.expected.us : 0,
         show: row => row.expected.us > 0 ?
             format(row.measured.us / row.expected.us, 3) : ''},
        {title: 'tasks', number: true, value: row => row.expected.count},
        {title: 'ran', number: true, value: row => row.measured.count},
      ], rows, {isHigh: true}));
}

/** What streams occupy, in words. */
const RESOURCES = {
  compute: 'the arithmetic units of a device', copy: 'its memory', inter: 'links between nodes',
  intra: 'links inside nodes',
};

function addStreams() {
  const rows = programs.flatMap(program => program.streams.map((stream, i) =>
      ({program, stream, tasks: program.lanes[i].length})));
  addSection('streams', 'Streams', el('p', {class: 'soft'},
      'Tasks of one stream run one after the other. Each stream occupies a resource: ' + [...new Set(
          rows.map(row => row.stream.resource))].map(resource =>
              RESOURCES[resource] ? `${resource}, ${RESOURCES[resource]}` : resource).join('; ') + '.' +
          (rows.some(row => row.stream.name === 'ocs') ? ' The stream ocs reconfigures optical circuits. During a reconfiguration, only packets ' +
          'cross the links between nodes; tasks named quiet first wait for the ports that change.' : '')), makeTable('Busy time of each stream', [
    {title: 'stream', value: row => row.stream.name},
    ...(programs.length > 1 ?
        [{title: 'program', value: row => row.program.title}] : []),
    {title: 'occupies', value: row => row.stream.resource},
    {title: 'tasks', number: true, value: row => row.tasks},
    {title: 'busy us', number: true, value: row => row.stream.busy_us,
     show: row => exact(format(row.stream.busy_us), row.stream.busy_us)},
    {title: 'busy %', number: true,
     value: row => percent(row.stream.busy_us, row.program.makespanUs),
     show: row => format(percent(row.stream.busy_us, row.program.makespanUs), 1)},
    {title: '', show: row => meter(row.stream.busy_us / row.program.makespanUs)},
  ], rows));
}

function addBytes() {
  const section = addSection('bytes', 'Bytes that one rank sends');
  const add = (caption, title, getSums) => {
    const sums = predicted.map(getSums);
    const keys = [...new Set(sums.flatMap(map => [...map.keys()]))].sort();
    if (!keys.length) {
      section.append(el('p', {}, `${caption}: none.`));
      return;
    }
    const most = Math.max(...sums.flatMap(map => [...map.values()]));
    section.append(makeTable(caption, [
      {title, value: key => key},
      ...predicted.flatMap((program, i) => [
        {title: predicted.length > 1 ? program.title : 'bytes', number: true,
         value: key => sums[i].get(key) || 0,
         show: key => exact(format(sums[i].get(key) || 0, 0), sums[i].get(key) || 0)},
        {title: '', show: key => meter((sums[i].get(key) || 0) / most)}]),
    ], keys));
  };
  add('By mesh axis and collective', 'axis', bytesByAxes);
  add('By level of links: the larger of sent and received bytes of the busiest rank', 'level', bytesByLevel);
}

function addTasks(timeline) {
  const section = addSection('tasks', 'All tasks');
  for (const program of programs) {
    const table = el('div');
    const fill = word => {
      const rows = taskNumbers(program).filter(i => !word ||
          [kindOf(program, i).name, program.layer[i], kindOf(program, i).phase,
           program.streams[kindOf(program, i).stream].name]
              .some(text => text.includes(word)));
      table.replaceChildren(makeTable(`${format(rows.length, 0)} tasks of ${program.title}`, [
        {title: 'task', value: i => nameTask(program, i), show: i => el('button', {
          type: 'button', class: 'link', onclick: () => {
            timeline.select(program, i);
            timeline.showTask(program, i);
            document.getElementById('timeline').scrollIntoView();
          }}, nameTask(program, i))},
        {title: 'layer', value: i => nameLayer(program.layer[i])},
        {title: 'phase', value: i => kindOf(program, i).phase},
        {title: 'stream', value: i => program.streams[kindOf(program, i).stream].name},
        {title: 'from us', number: true, value: i => program.start[i],
         show: i => exact(format(program.start[i]), program.start[i])},
        {title: 'takes us', number: true, value: i => program.end[i] - program.start[i],
         show: i => format(program.end[i] - program.start[i])},
        {title: 'sends', number: true, value: i => getBytes(program, i) || 0,
         show: i => getBytes(program, i) ? formatBytes(getBytes(program, i)) : ''},
        {title: 'critical', value: i => program.isCritical[i],
         show: i => program.isCritical[i] ? 'yes' : ''},
      ], rows, {isHigh: true, page: 100}));
    };
    const input = el('input', {type: 'search', oninput: () => fill(input.value)});
    section.append(el('div', {class: 'tools'},
                      el('label', {}, 'Find in tasks, layers and streams: ', input)), table);
    fill('');
  }
}
