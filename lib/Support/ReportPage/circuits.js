// Circuits: why and when they change, what each of them carries, and plans of them.

/** Numbers of pairs of ports that are joined in `after` and were not before. */
function countJoined(before, after) {
  let joined = 0;
  after.forEach((row, i) => row.forEach((count, j) => {
    if (j > i)
      joined += Math.max(0, count - (before ? before[i][j] : 0));
  }));
  return joined;
}

/** Changes of circuits of a program, in the order of time. */
function listChanges(program) {
  const changes = (program.json.circuits || []).map(one => ({
    ...one, from: program.start[one.task], to: program.end[one.task],
    owner: nameOwner(program, one.task)})).sort((a, b) => a.from - b.from);
  const routed = taskNumbers(program).filter(i => kindOf(program, i).over_circuits);
  changes.forEach((change, i) => {
    const next = changes[i + 1];
    change.exchanges = routed.filter(task => program.start[task] >= change.to &&
        (!next || program.start[task] < next.from));
    change.joined = change.regions.reduce((sum, matrix, r) => sum + countJoined(
        i ? changes[i - 1].regions[r] || changes[i - 1].regions[0] : null, matrix), 0);
  });
  return changes;
}

/** Loads of pairs of servers, each way, those whose circuits carry most first. */
function sortLoads(loads) {
  return loads.sort((a, b) => b.carried / b.circuits - a.carried / a.circuits);
}

/** What circuits carry in some tasks: {from, to, circuits, carried, demand}. */
function sumCircuits(program, tasks) {
  const sums = new Map();
  for (const task of tasks)
    for (const place of kindOf(program, task).exchanges || [])
      for (const [from, to, circuits, carried, demand] of program.exchanges[place].circuits || []) {
        const key = `${from} ${to}`;
        const sum = sums.get(key) || {from, to, circuits, carried: 0, demand: 0};
        sum.carried += carried;
        sum.demand += demand;
        sums.set(key, sum);
      }
  return sortLoads([...sums.values()]);
}

/** A table of loads; `say` makes words of amounts, `full` is what a circuit could carry. */
function listLoads(caption, loads, say, full) {
  const use = load => load.carried / load.circuits / full;
  return makeTable(caption, [
    {title: 'from server', number: true, value: load => load.from},
    {title: 'to server', number: true, value: load => load.to},
    {title: 'circuits', number: true, value: load => load.circuits},
    {title: 'carried', number: true, value: load => load.carried,
     show: load => exact(say(load.carried), load.carried)},
    {title: 'of demand %', number: true, value: load => percent(load.carried, load.demand),
     show: load => load.demand > 0 ? format(percent(load.carried, load.demand), 1) : '–'},
    {title: 'per circuit', number: true, value: load => load.carried / load.circuits,
     show: load => exact(say(load.carried / load.circuits), load.carried / load.circuits)},
    ...(full > 0 ? [
      {title: 'used %', number: true, value: use, show: load => format(use(load) * 100, 1)},
      {title: '', show: load => meter(use(load))}] : []),
  ], loads, {isHigh: true, page: 200});
}

/** Loads of a change as a matrix of both directions together, for widths of lines. */
function weighPairs(count, loads) {
  const weights = Array.from({length: count}, () => new Array(count).fill(0));
  for (const {from, to, carried} of loads)
    if (from < count && to < count) {
      weights[from][to] += carried;
      weights[to][from] += carried;
    }
  return weights;
}

/** The parts of a change of circuits: regions, and what carries how much. */
function drawChange(program, change) {
  const shown = change.regions.slice(0, 8);
  const loads = sumCircuits(program, change.exchanges);
  const us = change.exchanges.reduce((sum, task) =>
      sum + program.end[task] - program.start[task], 0);
  const parts = shown.map((matrix, r) => {
    const title = 'Circuits between servers' +
        (change.regions.length > 1 ? ` of region ${r}` : '');
    const words = {row: 'server', column: 'server',
                   say: count => count === 1 ? 'one circuit' : `${format(count, 0)} circuits`};
    // Servers have their numbers in the mesh where there is one region.
    const isWhole = loads.length && loads.every(load =>
        load.from < matrix.length && load.to < matrix.length) && change.regions.length === 1;
    return [el('div', {class: 'beside'}, drawMatrix(title, matrix, words),
               drawGraph(title, matrix, isWhole ?
                   {weights: weighPairs(matrix.length, loads), say: formatBytes} : {})),
            listMatrix(title, matrix, words)];
  });
  if (change.regions.length > shown.length)
    parts.push(el('p', {class: 'soft'},
                  `The data has ${change.regions.length - shown.length} more regions.`));
  const machine = (data.machine || {}).circuits || {};
  if (loads.length)
    parts.push(listLoads('Load until the next reconfiguration; used: share of the time in which exchanges use the circuits',
                         loads, formatBytes, (machine.nic_rate_GBps || 0) * 1000 * us));
  return parts;
}

function addCircuits(timeline) {
  const having = predicted.filter(program => program.json.circuits);
  if (!having.length)
    return;
  const section = addSection('circuits', 'Optical circuits');
  for (const program of having) {
    if (having.length > 1)
      section.append(el('h3', {}, program.title));
    const changes = listChanges(program);
    section.append(makeTable('Reconfigurations in order of time; the timeline has a lane for them', [
      {title: 'before', value: row => row.from, show: row => el('button', {
        type: 'button', class: 'link', onclick: () => {
          timeline.select(program, row.task);
          timeline.showTask(program, row.task);
          document.getElementById('timeline').scrollIntoView();
        }}, row.owner)},
      {title: 'from us', number: true, value: row => row.from,
       show: row => exact(format(row.from), row.from)},
      {title: 'takes us', number: true, value: row => row.to - row.from,
       show: row => exact(format(row.to - row.from), row.to - row.from)},
      {title: 'new circuits', number: true, value: row => row.joined},
      {title: 'exchanges', number: true, value: row => row.exchanges.length},
      {title: 'planned', value: row => row.expected ? 'at run time (expected plan)' : 'by the compiler'},
    ], changes, {isHigh: true, page: 100}));
    section.append(...makeSlider('Reconfiguration', changes, change =>
        `${change.owner}: from ${formatUs(change.to)} on`, change =>
        drawChange(program, change)));
  }
}

/** What changes of circuits bring, in words; null without a remark. */
function explainCircuits() {
  const read = choices.find(({choice}) => choice.metrics.never_us !== undefined);
  if (!read)
    return null;
  const {metrics} = read.choice;
  const us = Number(metrics.us);
  // Infinity where there is no such.
  const others = [['without reconfigurations', 'never_us'], ['with one before the first exchange', 'once_us'],
                  ['with one per exchange', 'always_us']]
      .map(([what, name]) => [what, Number(metrics[name])]).filter(([, time]) => isFinite(time))
      .map(([what, time]) => `${what} ${format(time)} us` +
          (us > 0 ? ` (${format(100 * (time / us - 1), 1)} % more)` : ''));
  return sayChoice(`With the chosen reconfigurations the program takes ${format(us)} us` +
      others.map(other => `, ${other}`).join(''), read.changes);
}

/** The answer of a planner of circuits. */
function addCircuitPlan() {
  const say = value => format(value, 3);
  addAnswer([
    ...listFactsOf(data, [['time', 'time, in demand per NIC', say],
      ['bound', 'lower bound', say], ['greedy_time', 'greedy', say],
      ['changed_ports', 'changed ports', value => format(value, 0)]])],
    data.time === null ? el('p', {}, 'Some demand has no path over these circuits and NICs.') : null);
  const words = {row: 'server', column: 'server',
                 say: count => count === 1 ? 'one circuit' : `${format(count, 0)} circuits`};
  const title = 'Circuits between servers';
  addSection('circuits', title, el('div', {class: 'beside'},
      drawMatrix(title, data.circuits, words), drawGraph(title, data.circuits)),
      listMatrix(title, data.circuits, words));
  if (data.loads && data.loads.length)
    addSection('loads', 'Loads of circuits', listLoads(
        'Load of the circuits between two servers per direction, in units of the demand; used: share of the whole time',
        sortLoads(data.loads.map(([from, to, circuits, carried, demand]) =>
            ({from, to, circuits, carried, demand}))), value => format(value), data.time || 0));
  if (data.why_no_links)
    addSection('links', 'NICs', el('p', {}, `No NICs for these circuits: ${data.why_no_links}`));
  else if (data.links)
    addSection('links', 'NICs', makeTable('NICs of each circuit', [
      {title: 'server', number: true, value: row => row[0]},
      {title: 'NIC', number: true, value: row => row[1]},
      {title: 'to server', number: true, value: row => row[2]},
      {title: 'NIC', number: true, value: row => row[3]}], data.links, {isHigh: true}));
}
