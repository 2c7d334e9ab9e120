// Why the program is as it is: the decisions of the passes that compiled it.

/** Numbers of layers; undefined for other names. */
const getNumber = name => name !== '' && Number.isInteger(Number(name)) ? Number(name) : undefined;

/** "0–3, 7 forward" for the forward passes of layers 0 to 3 and 7; other names as
 * they are. Backward passes may come from the last layer on. */
function formatLayers(layers) {
  const parts = [];
  for (const {layer, phase} of layers) {
    const number = getNumber(layer);
    const last = parts[parts.length - 1];
    if (last && number !== undefined && last.to !== undefined && last.phase === phase &&
        [1, -1].some(step => number === last.to + step && (last.step || step) === step)) {
      last.step = number - last.to;
      last.to = number;
    } else {
      parts.push({from: layer, to: number, phase});
    }
  }
  const kPhases = {fwd: ' forward', bwd: ' backward'};
  return parts.map(({from, to, step, phase}, i) => (step ? `${from}–${to}` : from) +
      (parts[i + 1] && parts[i + 1].phase === phase ? '' : kPhases[phase] || '')).join(', ');
}

/** Names of layers, both passes of each. */
const formatNames = names => formatLayers(names.map(layer => ({layer})));

/** A choice as rows of candidates, the chosen one first; a remark about something
 * else has none. */
function readChoice(choice) {
  const {layers = [], candidates = [], refused = [], changes = [], notes = [], terms = [], why} =
      choice.decision || {};
  const runnerUp = candidates.findIndex((one, i) => i > 0 && !one.excluded);
  const role = (one, i) => i === 0 ? 'chosen' : one.baseline ? 'baseline' :
      i === runnerUp ? 'runner-up' : '';
  return {choice, layers, terms, changes, notes: why ? [why, ...notes] : notes,
    refused: refused.map(({name, reason}) => `${name}: ${reason}`),
    rows: candidates.map((one, i) => ({name: one.name, meaning: one.meaning,
      us: one.time_us, note: one.note || '',
      mb: one.peak_bytes === undefined ? undefined : one.peak_bytes / 1e6,
      isGuess: Boolean(one.extrapolated), role: role(one, i)}))};
}

/** What a choice says but for rounding: of layers alike it is one. */
const sayRounded = ({choice, layers, rows, refused, changes}) => JSON.stringify([
  choice.pass, rows.map(row => [row.name, format(row.us, 1), row.role]), refused, changes,
  layers.map(({phase}) => phase).slice(0, 1)]);

/** Choices that differ by rounding as one, of the layers of both. */
function joinAlike(reads) {
  const joined = new Map();
  for (const read of reads) {
    const key = sayRounded(read), first = joined.get(key);
    if (first && read.rows.length && read.layers.length)
      first.layers = sortLayers([...first.layers, ...read.layers]);
    else
      joined.set(first ? `${key}${joined.size}` : key, read);
  }
  return [...joined.values()];
}

/** Layers by their numbers; backward from the last on. */
function sortLayers(layers) {
  const sign = layers.every(({phase}) => phase === 'bwd') ? -1 : 1;
  return layers.every(({layer}) => getNumber(layer) !== undefined) ?
      layers.sort((a, b) => sign * (getNumber(a.layer) - getNumber(b.layer))) : layers;
}

const choices = joinAlike((data.choices || []).map(readChoice));

/** The words in names of candidates, with what they stand for. */
const explainTerms = terms => terms.length ?
    el('details', {}, el('summary', {}, 'What these names mean'),
       el('dl', {class: 'task'}, terms.flatMap(({name, meaning}) =>
           [el('dt', {}, name), el('dd', {}, meaning)]))) : null;

/** What the name of a candidate stands for. */
const sayWhat = row => row.meaning || '';

/** A sentence about a choice, and what would change it. */
const sayChoice = (sentence, changes) => `${[sentence, ...changes].join('; ')}.`;

/** What was chosen for the step and why, in words; null where nobody says. */
function explainStep() {
  const read = choices.find(one => one.choice.pass === 'moe-choose-schedule' &&
                                   one.rows.length);
  if (!read)
    return null;
  const [first, next] = read.rows;
  const name = row => sayWhat(row) ? `${row.name} (${sayWhat(row)})` : row.name;
  return sayChoice(
      `The step is scheduled as ${name(first)}, ${format(first.us)} us` +
          (next ? `; ${name(next)} would take ${format(next.us)} us` : ''),
      read.changes);
}

/** What was chosen of a layer: of the pass of that phase, or of both. */
function findChoice({layer, phase}) {
  const find = wanted => choices.find(one => one.rows.length && one.layers.some(
      one => one.layer === layer && one.phase === wanted));
  return find(phase) || find(undefined);
}

/** Whether a layer has tasks of both phases in the program. */
const hasBothPhases = layer => ['fwd', 'bwd'].every(phase =>
    sumLayers(programs[0]).some(row => row.layer === layer && row.phase === phase));

/** Why a layer takes longer in the step than those that take the same alone; null
 * where none does. */
function explainAlike(slowest, rows) {
  const read = findChoice(slowest);
  const others = rows.filter(row => row !== slowest && row.phase === slowest.phase &&
                                    read && findChoice(row) === read);
  if (!others.some(row => row.criticalUs < .99 * slowest.criticalUs))
    return null;
  const range = get => `${formatUs(Math.min(...others.map(get)))} to ` +
      formatUs(Math.max(...others.map(get)));
  const own = row => row.criticalUs - row.sumsUs;
  return `Layers ${formatLayers(read.layers)} have one shape and take the same time alone; ` +
      'in the step they differ by the tasks that overlap with them' + (slowest.sumsUs > 0 ?
          `: on the critical path, this layer has ${formatUs(slowest.sumsUs)} of gradient all-reduces and ` +
          `${formatUs(own(slowest))} of its own work, the others have ${range(row => row.sumsUs)} and ` +
          `${range(own)}.` : '.');
}

/** Whether two times are one but for rounding to what is said of them. */
const isTie = (a, b) => format(a.us, 1) === format(b.us, 1);

/** What a layer takes alone as chosen; null if it was not simulated. The times of
 * chunk counts are of exchanges and experts only. */
function findAloneUs({choice, rows}) {
  if (choice.pass !== 'moe-choose-degree')
    return rows[0].us;
  return choice.metrics.alone_us === undefined ? null : Number(choice.metrics.alone_us);
}

/** What was chosen of a layer and why, in words; null where nobody says. */
function explainLayer(row) {
  const read = findChoice(row);
  if (!read)
    return null;
  const [first, next] = read.rows;
  const isPlan = read.choice.pass === 'moe-choose-degree';
  const alone = findAloneUs(read);
  const both = read.layers.some(({layer, phase}) => layer === row.layer && !phase) &&
      hasBothPhases(row.layer) ?
      ' of forward and backward together' : '';
  const takes = alone === null ? '' : `, ${format(alone)} us${both} alone`;
  const plan = isPlan ? `; the plan expects its exchanges and experts to take ${format(first.us)} us` : '';
  const against = !next ? '' : isPlan ?
      `, as ${next.name} ${format(next.us)} us` : isTie(first, next) ?
      `, simpler than ${next.name}, which takes as long` +
          (next.mb !== undefined ? ` (${format(first.mb)} MB at peak against ${format(next.mb)})` : '') :
      `; ${next.name} would take ${format(next.us)} us`;
  return sayChoice(`It runs as ${first.name}${takes}${plan}${against}`, read.changes);
}

/** Candidates as bars, the longest as wide as there is room. */
function drawCandidates(rows) {
  const most = Math.max(...rows.map(row => row.us));
  const shown = rows.slice(0, 24);
  return el('svg', {viewBox: `0 0 640 ${shown.length * 20 + 4}`, width: 640,
                    role: 'img', 'aria-label':
                        `Bars of the times in the table: ${shown[0].name} ${format(shown[0].us)} us, ` +
                        `the longest ${format(most)} us`},
      shown.map((row, i) => el('g', {},
        el('title', {}, `${row.name}: ${format(row.us)} us`),
        el('rect', {class: row.role === 'chosen' ? 'bar best' : 'bar', x: 0,
                    y: i * 20 + 3, height: 14,
                    width: most > 0 ? row.us / most * 560 : 0}),
        el('text', {x: (most > 0 ? row.us / most * 560 : 0) + 6, y: i * 20 + 14},
           format(row.us, 1)))));
}

function addList(section, title, items) {
  if (items.length)
    section.append(el('p', {}, `${title}:`),
                   el('ul', {}, items.map(item => el('li', {}, item))));
}

function addChoices() {
  const section = addSection('why', 'Why it was chosen');
  if (!choices.length) {
    section.append(el('p', {}, 'This report has no remarks. Save the remarks of moe-opt and pass them to ' +
            'moe-sim:'),
        el('pre', {tabindex: 0, role: 'region', 'aria-label': 'Commands'},
           'moe-opt IN --moe-compile=… --remarks-filter="moe.*" --remark-format=yaml \\\n' +
           '  --remarks-output-file=why.yaml -o OUT\n' +
           'moe-sim OUT --remarks=why.yaml --report=report.html'));
    return;
  }
  section.append(el('p', {class: 'soft'},
      'Remarks of the passes that compiled the program, once for equal layers. MB at peak is the ' +
          'largest memory per rank for the results of a layer’s tasks; a degree is a ' +
          'number of chunks; fwd and bwd are the forward and the backward pass.'));
  const whose = ({layers}) => layers.length ?
      `${layers.length > 1 ? 'Layers' : 'Layer'} ${formatLayers(layers)}` :
      'The step';
  for (const read of choices.filter(one => one.rows.length)) {
    const {choice} = read;
    const part = el('div', {class: 'choice'},
        el('h3', {}, `${whose(read)}: ${read.rows[0].name}`),
        el('p', {class: 'soft'}, choice.pass));
    section.append(part);
    const {rows} = read;
    const least = rows[0].us;
    const hasMemory = rows.some(row => row.mb !== undefined);
    part.append(makeTable('Candidates', [
      {title: 'candidate', value: row => row.name},
      {title: 'us', number: true, value: row => row.us,
       show: row => format(row.us) + (row.isGuess ? ' (extrapolated)' : '')},
      {title: 'over chosen', number: true, value: row => row.us,
       show: row => least > 0 ? `${format(row.us / least, 3)}×` : ''},
      ...(hasMemory ? [{title: 'MB at peak', number: true,
                        value: row => row.mb, show: row => format(row.mb)}] : []),
      ...(rows.some(row => row.note) ? [{title: 'note', value: row => row.note}] : []),
      ...(rows.some(sayWhat) ? [{title: 'meaning', value: sayWhat}] : []),
      {title: 'role', value: row => row.role},
    ], rows, {isChosen: row => row.role === 'chosen', isHigh: rows.length > 14}));
    if (rows.length > 1)
      part.append(el('details', {}, el('summary', {}, 'Show as bars'),
                     drawCandidates(rows)));
    const words = explainTerms(read.terms);
    if (words)
      part.append(words);
    addList(part, 'What would change it', read.changes);
    if (choice.decision.changes_by === 'compiled anew')
      part.append(el('p', {class: 'soft'}, '“Compiled anew”: if the named links were that much faster or slower, and all ' +
          'others unchanged, the same search would choose this candidate with these chunks; the figure is ' +
          'within 1 %. Only the named links were tried. For layers, the search tries links from 1/16 to ' +
          '16 times as fast and lists up to two changes each way; for the step, from 1/8 to 8 times and ' +
          'the next change each way. If no link is named, nothing changes the choice in this range. ' +
          'More or fewer chunks of the same strategy do not count as a change.'));
    if (choice.decision.changes_by === 'as planned')
      part.append(el('p', {class: 'soft'}, '“As planned for these links”: both schedules were timed with the named links that ' +
          'much faster or slower, but not planned again. A new plan could lead to another choice: compile ' +
          'for such a platform to know.'));
    addList(part, 'Candidates that could not be tried', read.refused);
    if (choice.pass === 'moe-choose-degree')
      part.append(el('p', {class: 'soft'}, 'The letters of an order are the launches: ' +
          'D dispatch, A all-gather, R reduce-scatter, C combine, ' +
          'G gradient all-reduce.'));
    addList(part, 'Also', read.notes);
  }
  const others = choices.filter(read => !read.rows.length);
  if (others.length)
    section.append(el('h3', {}, 'Other remarks'), makeTable('Remarks', [
      {title: 'pass', value: read => read.choice.pass},
      {title: 'layers', value: whose},
      {title: '', label: 'note', show: read => read.choice.missed ? 'unchanged' : ''},
      {title: 'remark', value: read => read.choice.text},
    ], others, {isHigh: true}));
}
