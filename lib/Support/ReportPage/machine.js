// What the machine is: its levels, what they reach at each size, and where every
// number comes from. Curves are drawn through what was measured, and dashed
// where nothing was.

const kPlot = {width: 560, height: 240, left: 56, right: 12, top: 12, bottom: 36};

/** The part of a bandwidth that a curve reaches, as the cost model reads it. */
function readCurve(points, bytes) {
  if (bytes <= points[0][0])
    return points[0][1];
  for (let i = 1; i < points.length; ++i) {
    const [b0, r0] = points[i - 1], [b1, r1] = points[i];
    if (bytes <= b1)
      return r0 + (r1 - r0) * Math.log(bytes / b0) / Math.log(b1 / b0);
  }
  return points[points.length - 1][1];
}

/**
 * Curves of a level or of copies: {name, rate(bytes) in GB/s, from, to, points,
 * origin}; measured from `from` to `to` bytes, nowhere without them.
 */
function listCurves(link, fitted) {
  const points = (fitted && fitted.efficiency) || link.efficiency;
  const latency = (fitted && fitted.latency_us !== undefined) ?
      fitted.latency_us : link.latency_us || 0;
  const bandwidth = link.bandwidth_GBps;
  const curves = [];
  if (points) {
    const first = points[0][0] / (bandwidth * points[0][1] * 1000);
    const isFree = link.efficiency_latency_free;
    curves.push({
      name: 'measured efficiency', points: points.map(([b, r]) => [b, r * bandwidth]),
      from: points[0][0], to: points[points.length - 1][0],
      origin: (fitted && fitted.efficiency_origin) || link.efficiency_origin,
      rate: bytes => {
        let us = bytes / (bandwidth * readCurve(points, bytes) * 1000);
        // Below the first point a latency remains that the curve contains.
        if (!isFree && bytes < points[0][0])
          us = Math.min(first, Math.max(us, latency));
        return bytes / (us + (isFree ? latency : 0)) / 1000;
      }});
  }
  // Measured on groups of one size, or a line for each of several.
  for (const [kind, fits] of Object.entries(link.collectives || {}))
    for (const fit of [fits].flat()) {
      const beta = fit.beta_us_per_byte ??
          fit.beta_us_per_element / fit.element_bytes;
      curves.push({
        name: fit.group_ranks ? `${kind} of ${fit.group_ranks} ranks` : kind,
        points: [], from: fit.min_bytes, to: fit.max_bytes, origin: fit.origin,
        rate: bytes => bytes / (fit.alpha_us + beta * bytes) / 1000});
    }
  if (!curves.length)
    curves.push({
      name: 'stated bandwidth and latency', points: [], origin: link.origin,
      rate: bytes => bytes / (latency + bytes / (bandwidth * 1000)) / 1000});
  return curves;
}

/** Sizes from `from` to `to`, so many a decade. */
function listSizes(from, to, perDecade = 12) {
  const sizes = [];
  for (let log = Math.log10(from); log <= Math.log10(to) + 1e-9; log += 1 / perDecade)
    sizes.push(10 ** log);
  return sizes;
}

/** A plot of rates against sizes; `used` are sizes that the program has. */
function drawCurves(name, curves, used) {
  const {width, height, left, right, top, bottom} = kPlot;
  const from = 1e3, to = 1e9;
  const sizes = listSizes(from, to);
  const most = Math.max(1e-9, ...curves.flatMap(curve => [
    ...sizes.map(curve.rate), ...curve.points.map(point => point[1])]
        .filter(Number.isFinite)));
  const x = bytes => left + (width - left - right) *
      Math.log(bytes / from) / Math.log(to / from);
  const y = rate => height - bottom - (height - top - bottom) * rate / most;
  const line = (curve, list, isGuess) => list.length < 2 ? null :
      el('polyline', {class: isGuess ? 'curve guess' : 'curve', points: list
          .map(bytes => `${x(bytes).toFixed(1)},${y(curve.rate(bytes)).toFixed(1)}`)
          .join(' ')});
  const parts = curves.map((curve, i) => {
    // Most lines do not state the measured range.
    const measured = curve.from ? sizes.filter(s => s >= curve.from && s <= curve.to) : [];
    const ends = curve.from ? [curve.from, ...measured, curve.to] : [];
    return el('g', {},
        el('title', {}, `${curve.name}: ${curve.origin || 'no source stated'}`),
        line(curve, curve.from ? [...sizes.filter(s => s < curve.from), curve.from] : sizes, true),
        line(curve, ends, false),
        curve.to ? line(curve, [curve.to, ...sizes.filter(s => s > curve.to)], true) : null,
        curve.points.map(([bytes, rate]) =>
            bytes < from || bytes > to ? null :
            el('circle', {class: 'point', cx: x(bytes), cy: y(rate), r: 4},
               el('title', {}, `${formatBytes(bytes)}: ${format(rate)} GB/s; ${curve.origin || ''}`))));
  });
  return el('svg', {viewBox: `0 0 ${width} ${height}`, width, role: 'img',
      'aria-label': `${name}: GB/s reached against the size of the buffer, up to ${format(most)} GB/s`},
    [0, 0.5, 1].map(part => el('g', {},
        el('line', {class: 'axis', x1: left, x2: width - right,
                    y1: y(part * most), y2: y(part * most)}),
        el('text', {x: 4, y: y(part * most) + 4}, format(part * most, most < 10 ? 2 : 0)))),
    [1e3, 1e5, 1e7, 1e9].map(bytes => el('text', {
        x: x(bytes), y: height - 8,
        'text-anchor': bytes === from ? 'start' : bytes === to ? 'end' : 'middle'},
        formatBytes(bytes))),
    used.filter(bytes => bytes >= from && bytes <= to).map(bytes => el('line', {
        class: 'axis', x1: x(bytes), x2: x(bytes), y1: height - bottom,
        y2: height - bottom - 10, 'stroke-width': 3},
        el('title', {}, `${formatBytes(bytes)}: the program has exchanges of this size`))),
    parts);
}

/** Sizes of the program's exchanges that cross a level. */
function listUsed(level) {
  const used = new Set();
  for (const program of programs)
    for (const exchange of program.exchanges)
      if (exchange.levels.some(one => one.name === level))
        used.add(exchange.bytes);
  return [...used].filter(Boolean);
}

/** What a JSON object states besides: name, value and where it is from. */
function listParameters(object) {
  const hidden = ['name', 'origin', 'levels', 'fitted', 'contention', 'circuits',
                  'efficiency', 'collectives', 'copy_efficiency'];
  return Object.entries(object)
      .filter(([key, value]) => !hidden.includes(key) &&
                                !key.endsWith('_origin') &&
                                typeof value !== 'object')
      .map(([key, value]) => ({
        key, value,
        origin: object[`${key}_origin`] ||
            object[`${key.replace(/_(us|bytes|GBps|us_per_mac|us_per_byte)$/, '')}_origin`] ||
            Object.entries(object).filter(([name]) => name.endsWith('_origin') &&
                key.startsWith(name.replace(/_origin$/, '').replace(/_alpha$/, '')))
                .map(([, text]) => text)[0] || object.origin || ''}));
}

function addMachine() {
  const {machine} = data;
  if (!machine || !machine.levels)
    return;
  const section = addSection('machine', 'Platform',
      el('p', {}, `${machine.name}: ${machine.origin || ''}`));
  const fitted = machine.fitted || {};
  const getFitted = name => (fitted.levels || []).find(one => one.name === name);
  section.append(makeTable('Levels of links, innermost first', [
    {title: 'level', value: level => level.name},
    {title: 'ranks', number: true, value: level => level.ranks},
    {title: 'GB/s', number: true, value: level => level.bandwidth_GBps,
     show: level => format(level.bandwidth_GBps)},
    {title: 'ranks per NIC', number: true, value: level => level.ranks_per_nic},
    {title: 'latency us', number: true, value: level => level.latency_us,
     show: level => format(level.latency_us)},
    {title: 'source', value: level => level.origin || ''},
  ], machine.levels));
  const links = machine.levels.map(level => ({
    name: level.name, used: listUsed(level.name),
    curves: listCurves(level, getFitted(level.name))}));
  if (machine.copy_bandwidth_GBps)
    links.push({name: 'copies on the device', used: [], curves: listCurves({
      bandwidth_GBps: machine.copy_bandwidth_GBps, origin: machine.copy_origin,
      latency_us: machine.copy_latency_us, efficiency: machine.copy_efficiency,
      efficiency_origin: machine.copy_efficiency_origin})});
  for (const link of links) {
    section.append(el('h3', {}, link.name),
        el('figure', {}, drawCurves(link.name, link.curves, link.used),
           el('figcaption', {}, 'GB/s reached against the size of a buffer: ' +
              `${link.curves.map(curve => curve.name).join(', ')}. ` +
              'Points are measured. ' + (link.curves.some(curve => curve.from) ?
                  'Dashed parts are extrapolated.' : 'The dashed line is extrapolated.') +
              (link.used.length ? ' Ticks below the curve are sizes of the program.' : ''))));
    const points = link.curves.flatMap(curve => curve.points.map(point =>
        ({point, curve})));
    if (points.length)
      section.append(makeTable(`Points of ${link.name}`, [
        {title: 'bytes', number: true, value: row => row.point[0],
         show: row => format(row.point[0], 0)},
        {title: 'GB/s', number: true, value: row => row.point[1],
         show: row => format(row.point[1])},
        {title: 'source', value: row => row.curve.origin || ''}], points));
  }
  for (const level of machine.levels)
    if (level.protocols)
      section.append(makeTable(
          `Protocols of ${level.name}`,
          [
            {title : 'algorithm', value : row => row.algorithm},
            {title : 'protocol', value : row => row.name},
            {title : 'start us', number : true, value : row => row.start_us},
            {title : 'step us', number : true, value : row => row.step_us}, {
              title : 'step inside us',
              number : true,
              value : row => row.inner_step_us
            },
            {
              title : 'share of bandwidth',
              number : true,
              value : row => row.bandwidth_share ?? 1
            },
            {title : 'source', value : () => level.protocols_origin || ''}
          ],
          level.protocols));
  const rows = [...listParameters(machine), ...listParameters(fitted).map(row =>
      ({...row, key: `fitted ${row.key}`})),
    ...(machine.contention || []).concat(fitted.contention || []).map(one => ({
      key: `slowdown of ${one.slowed} by ${one.by}`, value: one.factor,
      origin: one.origin || ''}))];
  if (rows.length)
    section.append(makeTable('Other parameters', [
      {title: 'name', value: row => row.key},
      {title: 'value', number: true, value: row => row.value,
       show: row => String(row.value)},
      {title: 'source', value: row => row.origin}], rows));
}
