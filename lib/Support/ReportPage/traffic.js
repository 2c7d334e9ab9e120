// Where tokens go, and which links carry them: counts of a trace over its steps,
// what ranks send at most, links by load.

/** Counts of a trace, of one layer at a time, with a slider over the steps. */
function addCounts(section, counts, columns) {
  const byLayer = new Map();
  for (const one of counts)
    byLayer.set(one.layer, [...(byLayer.get(one.layer) || []), one]);
  const column = columns === 'ranks' ? 'rank' : 'expert';
  const say = value => `${format(value, 1)} assignments`;
  section.append(...makeChooser('Layer', [...byLayer].map(([layer, steps]) => [
    layer === '' ? 'the layer' : layer, () => {
      // One scale for all steps, so that they compare.
      const most = Math.max(...steps.map(one => Math.max(...one.rows.flat())));
      return makeSlider('Iteration', steps, one => {
        const sums = one.rows[0].map((_, j) => one.rows.reduce((sum, row) => sum + row[j], 0));
        const all = sums.reduce((a, b) => a + b, 0);
        return `iteration ${one.step}: the busiest ${column} gets ` +
            `${format(Math.max(...sums) / (all / sums.length), 3)} times its even share`;
      }, one => {
        const words = {row: one.rows.length > 1 ? 'rank' : 'sum', column, say, most};
        const title = `Assignments${layer === '' ? '' : ` of layer ${layer}`}`;
        return [drawMatrix(title, one.rows, words), listMatrix(title, one.rows, words)];
      });
    }])).filter(Boolean));
}

function addTraffic() {
  const {traffic} = data;
  if (!traffic)
    return;
  const list = layers => formatNames(layers);
  const section = addSection('traffic', 'Routing trace', el('p', {},
      `${traffic.file}, ` + (traffic.step === undefined ?
          `the sum of its ${format(traffic.steps, 0)} iterations` : `iteration ${traffic.step}`) +
      (traffic.layers.length ? `; it sets the counts of layers ${list(traffic.layers)}` :
                               '; no layer uses it') +
      (traffic.padded_layers.length ? `; layers ${list(traffic.padded_layers)} send ` +
          'padded buffers, so it does not change them.' : '.')));
  if (traffic.why_no_counts)
    section.append(el('p', {class: 'soft'}, `This page has no counts: ${traffic.why_no_counts}.`));
  if (!traffic.counts || !traffic.counts.length)
    return;
  const steps = new Set(traffic.counts.map(one => one.step));
  if (traffic.step === undefined && steps.size < traffic.steps)
    section.append(el('p', {class: 'soft'},
        `This page has ${format(steps.size, 0)} of ${format(traffic.steps, 0)} iterations, evenly spread.`));
  addCounts(section, traffic.counts, traffic.columns);
}

/** What each rank of layers sends at most, beside an even share and what gates sent. */
function addLimits() {
  for (const [i, {layers, copies, rows}] of (data.limits || []).entries()) {
    const columns = rows[0].length, ranks = rows.length;
    const column = ranks > 1 && columns === ranks ? 'rank' : 'expert';
    const named = layers.filter(layer => layer !== '');
    const section = addSection(`limits-${i}`, 'Rank capacities' +
        (data.limits.length > 1 ? `: ${formatNames(layers)}` : ''), el('p', {},
        `A rank has ${format(copies, 0)} assignments (pairs of a token and an expert). This matrix ` +
        `limits how many it sends to each ${column}; the rest is dropped.` + (named.length ?
            ` It applies to ${named.length > 1 ? 'layers' : 'layer'} ${formatNames(named)}.` : '')));
    const most = Math.max(...rows.flat(), copies / columns);
    const words = {row: ranks > 1 ? 'rank' : 'all ranks', column, most,
                   say: value => `${format(value, 1)} assignments`};
    const show = (title, matrix) => [drawMatrix(title, matrix, words), listMatrix(title, matrix, words)];
    const items = [['capacities', () => show('Capacities', rows)],
                   ['even share', () => show('An even share',
                        rows.map(row => row.map(() => copies / columns)))]];
    const sent = ((data.traffic || {}).counts || []).filter(one =>
        (one.layer === '' || one.layer === layers[0]) && one.rows.length === ranks &&
        one.rows[0].length % columns === 0);
    if (sent.length)
      items.push(['routed', () => makeSlider('Iteration', sent, one => {
        const matrix = inProportion(one.rows, copies, columns);
        const beyond = matrix.reduce((sum, row, r) => sum + row.reduce((all, count, c) =>
            all + Math.max(0, count - rows[r][c]), 0), 0);
        return `iteration ${one.step}: ${format(percent(beyond, copies * ranks), 2)} % of the assignments ` +
            'exceed the capacities and are dropped';
      }, one => show('Routed assignments', inProportion(one.rows, copies, columns)))]);
    section.append(...makeChooser('Shown', items).filter(Boolean));
  }
}

/** Counts of ranks that have so many copies each, added up to so many columns. */
function inProportion(rows, copies, columns) {
  const all = rows.flat().reduce((a, b) => a + b, 0);
  const scale = all > 0 ? copies * rows.length / all : 0;
  return sumBlocks(rows, 1, rows[0].length / columns).map(row => row.map(count => count * scale));
}

/** What carries an exchange: levels of links, or circuits. */
function listCarriers(kind, exchange) {
  if (kind.over_circuits)
    return [{name: 'circuits', bytes: exchange.bytes || 0, us: null}];
  return exchange.levels.map(level =>
      ({name: level.name, bytes: level.rank_bytes, us: level.us}));
}

/**
 * The load of what carries exchanges: {bytes, usedUs, busyUs, most, parts}, where
 * `usedUs` is what its busiest endpoint needs in all, `busyUs` how long some task
 * sends over it, and `parts` the load in equal parts of the time up to `untilUs`.
 */
function sumLoads(program, untilUs, count) {
  const loads = new Map();
  for (let i = 0; i < program.count; ++i) {
    const kind = kindOf(program, i);
    const from = program.start[i], us = program.end[i] - from;
    for (const place of kind.exchanges || [])
      for (const carrier of listCarriers(kind, program.exchanges[place])) {
        let load = loads.get(carrier.name);
        if (!load)
          loads.set(carrier.name, load = {name: carrier.name, bytes: 0, usedUs: 0,
              spans: [], parts: new Float64Array(count)});
        // The time that endpoints of circuits need is unknown, so count the whole time.
        const used = carrier.us === null ? us : Math.min(carrier.us, us);
        load.bytes += carrier.bytes;
        load.usedUs += used;
        if (us <= 0)
          continue;
        load.spans.push([from, from + us]);
        const width = untilUs / count;
        const last = Math.min(count - 1, Math.floor((from + us) / width));
        for (let p = Math.floor(from / width); p <= last; ++p) {
          const part = Math.min(from + us, (p + 1) * width) - Math.max(from, p * width);
          load.parts[p] += part / width * used / us;
        }
      }
  }
  for (const load of loads.values()) {
    load.spans.sort((a, b) => a[0] - b[0]);
    let at = 0;
    load.busyUs = 0;
    for (const [from, to] of load.spans) {
      load.busyUs += Math.max(0, to - Math.max(from, at));
      at = Math.max(at, to);
    }
    load.most = load.parts.reduce((a, b) => Math.max(a, b), 0);
  }
  return [...loads.values()].sort((a, b) => b.usedUs - a.usedUs);
}

/** Loads over the time, one above the other; full is as high as a strip is. */
function drawLoads(rows, untilUs) {
  const width = 640, left = 4, strip = 34, high = 52;
  const height = rows.length * high + 18;
  return el('svg', {viewBox: `0 0 ${width} ${height}`, width, role: 'img', 'aria-label':
      'Load over the time: ' + rows.map(row =>
          `${row.title} ${format(percent(row.load.usedUs, untilUs), 1)} % on average`).join('; ')},
    rows.map((row, i) => {
      const low = (i + 1) * high - 2, count = row.load.parts.length;
      const part = (width - 2 * left) / count;
      const points = [...row.load.parts].flatMap((load, p) => {
        const y = (low - strip * Math.min(1, load)).toFixed(1);
        return [`${(left + p * part).toFixed(1)},${y}`, `${(left + (p + 1) * part).toFixed(1)},${y}`];
      });
      return el('g', {},
        el('text', {x: left, y: low - strip - 4}, row.title),
        el('line', {class: 'axis', x1: left, x2: width - left, y1: low - strip, y2: low - strip}),
        el('path', {class: 'bar', d: `M${left},${low} L${points.join(' L')} L${width - left},${low} Z`}),
        el('line', {class: 'axis', x1: left, x2: width - left, y1: low, y2: low}));
    }),
    el('text', {class: 'soft', x: left, y: height - 3}, '0'),
    el('text', {class: 'soft', x: width - left, y: height - 3, 'text-anchor': 'end'},
       formatUs(untilUs)));
}

function addLinks() {
  const untilUs = Math.max(0, ...predicted.map(program => program.makespanUs));
  if (!(untilUs > 0))
    return;
  const rows = predicted.flatMap(program => sumLoads(program, untilUs, 200).map(load =>
      ({program, load, title: predicted.length > 1 ?
            `${load.name}, ${program.title}` : load.name})));
  if (!rows.length)
    return;
  addSection('links', 'Links by load',
    makeTable('Use of each level by exchanges: the time in which its busiest endpoint sends or receives', [
      {title: 'level', value: row => row.load.name},
      ...(predicted.length > 1 ? [{title: 'program', value: row => row.program.title}] : []),
      {title: 'bytes per rank', number: true, value: row => row.load.bytes,
       show: row => exact(format(row.load.bytes, 0), row.load.bytes)},
      {title: 'used us', number: true, value: row => row.load.usedUs,
       show: row => exact(format(row.load.usedUs), row.load.usedUs)},
      {title: 'used %', number: true,
       value: row => percent(row.load.usedUs, row.program.makespanUs),
       show: row => format(percent(row.load.usedUs, row.program.makespanUs), 1)},
      {title: '', show: row => meter(row.load.usedUs / row.program.makespanUs)},
      {title: 'exchanging us', number: true, value: row => row.load.busyUs,
       show: row => exact(format(row.load.busyUs), row.load.busyUs)},
    ], rows),
    el('p', {class: 'soft'}, 'Exchanging counts the time of tasks that exchange over the level. It exceeds the used time if ' +
        'such a task waits for another level or for message startup.'),
    el('figure', {}, drawLoads(rows, untilUs), el('figcaption', {},
        'Used share of the link in 200 equal intervals of the step.')));
}
