// What planners say of their sweeps: times over chunks, over degrees, over bytes,
// with the points at which the choice changes.

/**
 * Lines over a common axis. `rows` are objects, `across` the key of the axis,
 * `lines` the keys of numbers of a unit; `marks` are places on the axis with a
 * word each.
 */
function drawLines(caption, rows, across, lines, marks, {isLog = false, unit = 'us'} = {}) {
  const width = 640, height = 280, left = 76, right = 12, top = 12, bottom = 40;
  const places = rows.map(row => row[across]);
  const from = Math.min(...places), to = Math.max(...places);
  const most = Math.max(1e-9, ...rows.flatMap(row =>
      lines.map(line => row[line]).filter(Number.isFinite)));
  const least = Math.min(most, ...rows.flatMap(row =>
      lines.map(line => row[line]).filter(us => us > 0)));
  const part = value => from === to ? 0.5 : isLog ?
      Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
  const x = value => left + (width - left - right) * part(value);
  const y = us => height - bottom - (height - top - bottom) * (isLog ?
      Math.log(Math.max(us, least) / least) / Math.log(most / least || 1) || 0 :
      us / most);
  const say = value => across === 'bytes' ? formatBytes(value) : format(value, 0);
  const ticks = isLog ? [least, Math.sqrt(least * most), most] : listTicks(most);
  const digits = Math.max(0, -Math.floor(Math.log10(most / 4)));
  // A word at each place that has room behind the one before.
  const labels = [];
  for (const place of [from, ...[...places].sort((a, b) => a - b)])
    if (!labels.length || x(place) - x(labels[labels.length - 1]) > 80 && x(to) - x(place) > 80)
      labels.push(place);
  if (to !== from)
    labels.push(to);
  return el('svg', {viewBox: `0 0 ${width} ${height}`, width, role: 'img',
      'aria-label': `${caption}; the numbers are in the table below`},
    ticks.map(us => el('g', {},
        el('line', {class: 'axis', x1: left, x2: width - right, y1: y(us), y2: y(us)}),
        el('text', {x: 2, y: y(us) + 4}, `${format(us, digits)} ${unit}`))),
    labels.map(value => el('text', {x: x(value), y: height - 22, 'text-anchor':
        value === from ? 'start' : value === to ? 'end' : 'middle'}, say(value))),
    marks.filter(mark => mark.at >= from && mark.at <= to).map(mark => el('g', {},
        el('line', {class: 'mark', stroke: 'currentColor', 'stroke-dasharray': '3 3',
                    x1: x(mark.at), x2: x(mark.at), y1: top, y2: height - bottom}),
        el('title', {}, `${mark.word}: ${say(mark.at)}`),
        el('circle', {class: 'point', cx: x(mark.at), cy: height - bottom, r: 4}))),
    lines.map((line, i) => {
      const points = rows.filter(row => Number.isFinite(row[line]));
      const hue = kHues[i % kHues.length];
      return points.length < 1 ? null : el('g', {stroke: `hsl(${hue} 60% 50%)`},
        el('title', {}, line.replace(/_us$/, '')),
        el('polyline', {fill: 'none', 'stroke-width': 2, points: points
            .map(row => `${x(row[across]).toFixed(1)},${y(row[line]).toFixed(1)}`)
            .join(' ')}),
        points.map(row => el('circle', {cx: x(row[across]), cy: y(row[line]), r: 2.5,
                                        fill: `hsl(${hue} 60% 50%)`},
            el('title', {}, `${line.replace(/_us$/, '')}, ${say(row[across])}: ` +
                            `${format(row[line])} ${unit}`))));
    }));
}

/** The words for the colours of lines. */
function drawLegend(lines) {
  return el('p', {class: 'soft'}, lines.map((line, i) => [
    el('svg', {width: 14, height: 10, viewBox: '0 0 14 10', 'aria-hidden': 'true'},
       el('rect', {x: 0, y: 1, width: 10, height: 8,
                   fill: `hsl(${kHues[i % kHues.length]} 60% 50%)`})),
    `${line.replace(/_us$/, '').replaceAll('_', ' ')}  `]));
}

function addSweep(id, title, rows, across, lines, marks, isLog) {
  if (!rows || !rows.length)
    return;
  const shown = lines.filter(line => rows.some(row => Number.isFinite(row[line])));
  addSection(id, title,
    el('figure', {}, drawLines(title, rows, across, shown, marks, {isLog}),
       drawLegend(shown),
       el('figcaption', {}, marks.map(mark =>
           `${mark.word}: ${across === 'bytes' ? `${format(mark.at, 0)} bytes` :
                                                 format(mark.at, 0)}. `))),
    makeTable(title, [
      {title: across, number: true, value: row => row[across],
       show: row => format(row[across], 0)},
      ...shown.map(line => ({
        title: line.replace(/_us$/, ' us').replaceAll('_', ' '), number: true,
        value: row => row[line] === null || row[line] === undefined ? Infinity : row[line],
        show: row => Number.isFinite(row[line]) ?
            exact(format(row[line]), row[line]) : '–'}))],
      rows, {isHigh: true, isChosen: row => marks.some(mark =>
          mark.isChoice && mark.at === row[across])}));
}

function addPlan() {
  const strategies = Object.entries(data.strategies || {});
  const answer = data.degree !== undefined ?
      `${data.degree} ${data.degree === 1 ? 'chunk' : 'chunks'}` :
      `${data.chosen}, ${data.chunks} ${data.chunks === 1 ? 'chunk' : 'chunks'}`;
  addSection('answer', 'The answer', el('ul', {class: 'facts'},
      el('li', {}, 'chosen', el('b', {}, answer),
         el('span', {class: 'soft', title: String(data.time_us)}, formatUs(data.time_us))),
      data.runner_up === undefined ? null :
      el('li', {}, 'runner-up', el('b', {}, String(data.runner_up)),
         el('span', {class: 'soft', title: String(data.gap_us)},
            `${formatUs(data.gap_us)} longer`)),
      data.lower_bound_us === undefined ? null :
      el('li', {}, 'lower bound', el('b', {title: String(data.lower_bound_us)},
                                     formatUs(data.lower_bound_us)))));
  if (data.reason)
    document.getElementById('answer').append(el('p', {}, data.reason));
  if (strategies.length)
    addSection('strategies', 'Strategies', makeTable('The best time of each strategy', [
      {title: 'strategy', value: row => row[0]},
      {title: 'chunks', number: true, value: row => row[1].chunks || 0,
       show: row => row[1].chunks === undefined ? '–' : format(row[1].chunks, 0)},
      {title: 'us', number: true, value: row => row[1].time_us === null ? Infinity : row[1].time_us,
       show: row => row[1].time_us === null ? row[1].why_not :
           exact(format(row[1].time_us), row[1].time_us)},
      {title: 'over baseline', number: true, value: row => row[1].over_baseline || 0,
       show: row => row[1].over_baseline === undefined ? '' : format(row[1].over_baseline, 3)},
    ], strategies, {isChosen: row => row[0] === data.chosen}));
  const choice = at => ({at, word: 'chosen', isChoice: true});
  const times = strategies.map(([name]) => `${name}_us`);
  addSweep('by-chunks', 'Time over chunks', data.by_chunks, 'chunks', times,
           [choice(data.chunks)], false);
  const ends = [['chosen_from_bytes', 'smallest buffer with this choice'],
                ['chosen_to_bytes', 'largest buffer with this choice']]
      .filter(([key]) => typeof data[key] === 'number')
      .map(([key, word]) => ({at: data[key], word}));
  addSweep('by-bytes', 'Time over bytes', data.by_bytes, 'bytes', times,
           [{at: data.bytes, word: 'given size', isChoice: true}, ...ends], true);
  addSweep('by-degree', 'Time over pipeline degrees', data.by_degree, 'degree',
           ['time_us', 'closed_form_us', 'lower_bound_us'], [choice(data.degree)], false);
  addParameters();
}
