// What is known of one task, as lines over the pointer and as a list below the
// timeline.

const tip = document.getElementById('tip');
function showTip(x, y, text) {
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.width - 4))}px`;
  tip.style.top = `${Math.max(4, Math.min(y + 18, innerHeight - box.height - 4))}px`;
}
function hideTip() { tip.hidden = true; }

/** "layer 3, fwd". */
function nameOwner(program, task) {
  const layer = program.layer[task];
  return `${layer === '' ? '' : 'layer '}${nameLayer(layer)}, ` +
         kindOf(program, task).phase;
}

/** Why a task started when it did. */
function describeCause(program, task) {
  const cause = findCause(program, task);
  if (cause < 0)
    return 'nothing';
  const how = program.after[task].includes(cause) ?
      'whose results it reads' : 'the previous task of its stream';
  return `${nameTask(program, cause)}, ${nameOwner(program, cause)}, ${how}`;
}

/** Name and value of all that is known of a task. */
function listFacts(program, task) {
  const kind = kindOf(program, task);
  const us = program.end[task] - program.start[task];
  const facts = [
    ['task', nameTask(program, task)],
    ['layer', `${nameLayer(program.layer[task])}, ${kind.phase}`],
    ['stream', program.streams[kind.stream].name],
    ['from', formatUs(program.start[task]), program.start[task]],
    ['to', formatUs(program.end[task]), program.end[task]],
    ['takes', formatUs(us), us],
  ];
  // Sums of times round.
  if (kind.us !== undefined && us > kind.us * (1 + 1e-9) + 1e-9)
    facts.push(['alone', `${formatUs(kind.us)}; concurrent tasks slow it down`, kind.us]);
  if (program.isCritical[task])
    facts.push(['critical path', 'yes: a shorter task would shorten the step']);
  const cause = findCause(program, task);
  if (program.json !== data.measured)
    facts.push(['waited for', describeCause(program, task)]);
  if (cause >= 0 && program.start[task] > program.end[cause])
    facts.push(['then', `idle for ${formatUs(program.start[task] - program.end[cause])}`]);
  for (const place of kind.exchanges || []) {
    const exchange = program.exchanges[place];
    const bytes = exchange.bytes === undefined ? 'an unknown number of bytes' :
                                                 formatBytes(exchange.bytes);
    const bound = {exact: '', even: ', if routing is even', upper: ', at most',
                   per_iteration: ', each time', unread: ', not read'}[exchange.bound];
    facts.push(['sends', `${bytes} over ${exchange.axes} (${exchange.kind}${bound})`,
                exchange.bytes]);
    if (exchange.bytes && us > 0)
      facts.push(['rate', `${formatRate(exchange.bytes, us)} per rank`]);
    exchange.levels.forEach((level, i) => facts.push([
      level.name, `${formatBytes(level.rank_bytes)} per rank, ${formatUs(level.us)}` +
          (exchange.slowest === i && exchange.levels.length > 1 ?
               ': the slowest of these' : '')]));
  }
  const [busiest] = sumCircuits(program, [task]);
  if (busiest)
    facts.push(['busiest circuits', `${formatBytes(busiest.carried / busiest.circuits)} each, of ` +
        `${format(busiest.circuits, 0)} from server ${busiest.from} to ${busiest.to}`]);
  if (kind.over_circuits)
    facts.push(['path', 'optical circuits, and packets as the fabric defines']);
  if (kind.extrapolated)
    facts.push(['measured', 'no: its sizes are outside of the measured range']);
  if (kind.routed)
    facts.push(['routing', 'its time depends on the routing of tokens']);
  return facts;
}

const describeTask = (program, task) =>
    listFacts(program, task).map(([name, value]) => `${name}: ${value}`);

/** The list of a task below the timeline, which is read out when it changes. */
function showTask(place, timeline, program, task) {
  const cause = findCause(program, task);
  place.replaceChildren(
      el('dl', {class: 'task'}, listFacts(program, task).map(
          ([name, value, number]) => [
            el('dt', {}, name),
            el('dd', number === undefined ? {} : {title: String(number)}, value),
          ])),
      el('div', {class: 'tools'},
         el('button', {type: 'button', onclick: () =>
             timeline.showTask(program, task)}, 'Zoom to it'),
         cause < 0 ? null :
             el('button', {type: 'button', onclick: () =>
                 timeline.go(program, cause)}, 'Go to what it waited for')));
}
