// Training jobs: the layouts of a sweep, memory against speed, and one step.

const kDegrees = ['dp', 'pp', 'cp', 'ep', 'tp'];

/** "dp 2, ep 8, tp 4, recomputed": a layout in words. */
function nameLayout(layout) {
  return kDegrees.filter(key => layout[key] > 1).map(key => `${key} ${layout[key]}`)
      .concat(layout.fold_ep ? 'experts folded over tp' : [])
      .concat(layout.recompute === 'full' ? 'layers recomputed' :
              layout.recompute === 'selective' ? 'parts recomputed' : [])
      .join(', ') || 'one rank';
}

const showCommands = layout => [el('pre', {
  tabindex: 0, role: 'region', 'aria-label': `Commands of ${nameLayout(layout)}`}, layout.commands),
  layout.commands_leave_out ? el('p', {class: 'soft'}, layout.commands_leave_out) : null];

/** Where the time of a step goes: of a program, or of a framework's job. */
const sayWhy = layout => layout.dispatcher ?
    `${layout.why[0].toUpperCase()}${layout.why.slice(1)}.` : `The step: ${layout.why}.`;

/** Memory of layouts against what they train; those that nothing beats are joined. */
function drawLayouts(layouts, memory) {
  const width = 640, height = 320, left = 76, right = 16, top = 26, bottom = 44;
  const mostBytes = Math.max(memory, ...layouts.map(one => one.memory_bytes)) * 1.02;
  const mostTokens = Math.max(1e-9, ...layouts.map(one => one.tokens_per_s)) * 1.04;
  const x = bytes => left + (width - left - right) * bytes / mostBytes;
  const y = tokens => height - bottom - (height - top - bottom) * tokens / mostTokens;
  const best = layouts.filter(one => one.pareto).sort((a, b) => a.memory_bytes - b.memory_bytes);
  const say = one => `${nameLayout(one)}: ${formatBytes(one.memory_bytes)}, ` +
      `${format(one.tokens_per_s, 0)} tokens/s`;
  return el('svg', {viewBox: `0 0 ${width} ${height}`, width, role: 'img', 'aria-label':
      'Memory per rank against tokens/s; best layouts: ' + best.map(say).join('; ')},
    listTicks(mostTokens).map(tokens => el('g', {},
        el('line', {class: 'axis', x1: left, x2: width - right, y1: y(tokens), y2: y(tokens)}),
        el('text', {x: 2, y: y(tokens) + 4}, format(tokens, 0)))),
    el('text', {class: 'soft', x: 2, y: 12}, 'tokens/s'),
    listTicks(mostBytes).filter(bytes => x(memory) - x(bytes) > 110).map(bytes => el('text', {
        x: x(bytes), y: height - 24, 'text-anchor': 'middle'}, formatBytes(bytes))),
    el('text', {class: 'soft', x: left, y: height - 6}, 'memory per rank'),
    el('g', {}, el('title', {}, `a rank has ${formatBytes(memory)}`),
       el('line', {class: 'limit', x1: x(memory), x2: x(memory), y1: top, y2: height - bottom}),
       el('text', {x: x(memory), y: height - 24, 'text-anchor': 'end'}, formatBytes(memory))),
    best.length < 2 ? null : el('polyline', {class: 'curve', points: best
        .map(one => `${x(one.memory_bytes).toFixed(1)},${y(one.tokens_per_s).toFixed(1)}`).join(' ')}),
    layouts.map(one => el('circle', {class: one.pareto ? 'point' : 'point other',
        cx: x(one.memory_bytes), cy: y(one.tokens_per_s), r: one.pareto ? 4.5 : 3},
        el('title', {}, say(one)))));
}

function addLayouts() {
  const {layouts} = data;
  const [first, next] = layouts;
  const memory = data.memory_per_rank_bytes;
  const facts = [makeFact('layouts that fit', format(layouts.length, 0), layouts.length,
      `${format(data.too_large, 0)} are too large for ${formatBytes(memory)}`)];
  if (first)
    facts.unshift(
      makeFact('fastest', nameLayout(first), undefined,
               `${data.model_type} on ${format(data.ranks, 0)} ranks` +
                   (data.platform ? ` of ${data.platform}` : '')),
      makeFact('tokens/s', format(first.tokens_per_s, 0), first.tokens_per_s,
               `step time ${formatUs(first.step_us)}`),
      ...(first.mfu === undefined ? [] :
          [makeFact('MFU', `${format(first.mfu * 100, 2)} %`, first.mfu)]),
      makeFact('memory', formatBytes(first.memory_bytes), first.memory_bytes,
               `of ${formatBytes(memory)} per rank`));
  addAnswer(facts,
    first ? el('p', {}, sayWhy(first)) :
            el('p', {}, `No layout fits ${formatBytes(memory)} per rank` + (data.least_memory ?
                `. The smallest needs ${formatBytes(data.least_memory.memory_bytes)}: ` +
                    `${nameLayout(data.least_memory)}.` : '.')),
    next ? el('p', {}, `The next layout, ${nameLayout(next)}, is ` +
        `${format((first.tokens_per_s / next.tokens_per_s - 1) * 100, 1)} % slower. ${sayWhy(next)}`) : null,
    first && first.would_change && first.would_change.length ? [el('p', {}, 'Other dispatchers and overlaps:'),
        el('ul', {}, first.would_change.map(change => el('li', {}, change)))] : null,
    data.would_fit && data.would_fit.length ? [el('p', {}, 'It would fit with:'),
        el('ul', {}, data.would_fit.map(change => el('li', {}, change)))] : null,
    first ? [el('p', {}, data.compiled ? 'To compile this layout:' : 'To predict this layout:'),
             showCommands(first)] : null);
  if (layouts.length)
    addSection('layouts', 'Layouts', el('figure', {}, drawLayouts(layouts, memory),
        el('figcaption', {}, 'One point per layout. The line joins the layouts that no other layout beats in both ' +
            'memory and speed; the dashed line is the memory of a rank.')),
      makeTable('Layouts, fastest first', [
        {title: 'layout', value: nameLayout},
        ...kDegrees.filter(key => varies(layouts, key)).map(key => numberColumn(key, key, 0)),
        {title: 'memory', number: true, value: row => row.memory_bytes,
         show: row => exact(formatBytes(row.memory_bytes), row.memory_bytes)},
        {title: 'step ms', number: true, value: row => row.step_us,
         show: row => exact(format(row.step_us / 1000, 1), row.step_us)},
        numberColumn('tokens/s', 'tokens_per_s', 0),
        ...(first.mfu === undefined ? [] : [{title: 'MFU %', number: true, value: row => row.mfu,
            show: row => exact(format(row.mfu * 100, 1), row.mfu)}]),
        ...(data.compiled ? [] : [{title: 'dispatcher', value: row => row.dispatcher},
                                  {title: 'overlap', value: row => row.overlap}]),
        {title: 'Pareto', value: row => row.pareto ? 'yes' : ''},
        {title: 'why', isText: true, value: row => row.why},
        {title: 'commands', show: row => el('details', {}, el('summary', {}, 'show'),
                                            showCommands(row))},
      ], layouts, {isHigh: true, page: 50, isChosen: row => row === first}));
  if (data.impossible.length)
    addSection('impossible', 'Layouts that were not tried', makeTable('Layouts by reason', [
      {title: 'layouts', number: true, value: row => row.layouts},
      {title: 'why', value: row => row.reason}], data.impossible, {isHigh: true}));
  addObject('settings', 'Settings', data);
}

/** One training step of a job, as moe-plan step predicts it. */
function addStep() {
  const memory = data.memory_per_rank_bytes;
  const setting = row => `${row.dispatcher}, overlap ${row.overlap}`;
  addAnswer([
    makeFact('step time', formatUs(data.step_us), data.step_us, setting(data)),
    makeFact('tokens/s', format(data.tokens_per_s, 0), data.tokens_per_s),
    ...(data.mfu === undefined ? [] :
        [makeFact('MFU', `${format(data.mfu * 100, 2)} %`, data.mfu)]),
    makeFact('memory', formatBytes(data.memory_bytes), data.memory_bytes, memory === undefined ? '' :
        `${data.fits ? 'fits into' : 'does not fit into'} ${formatBytes(memory)} per rank`)],
    data.why ? el('p', {}, `${data.why[0].toUpperCase()}${data.why.slice(1)}.`) : null,
    data.would_change && data.would_change.length ? [
        el('p', {}, 'Other dispatchers and overlaps:'),
        el('ul', {}, data.would_change.map(change => el('li', {}, change)))] : null);
  const spent = Object.entries(data.spent_us).map(([name, value]) => ({name, value}));
  addSection('spent', 'Where the time goes', el('figure', {},
      drawBars('Time of the busiest pipeline stage', spent.filter(row => row.value > 0), formatUs),
      el('figcaption', {}, 'Time of the busiest pipeline stage by kind of work.')));
  if (data.alternatives && data.alternatives.length)
    addSection('alternatives', 'Dispatchers and overlaps', makeTable('Combinations, fastest first', [
      {title: 'dispatcher', value: row => row.dispatcher},
      {title: 'overlap', value: row => row.overlap},
      ...[['step ms', 'step_us'], ['exposed exchanges ms', 'expert_exchanges_us']].map(([title, key]) => ({
        title, number: true, value: row => row[key] ?? Infinity,
        show: row => row[key] === undefined ? '–' : exact(format(row[key] / 1000, 1), row[key])})),
      numberColumn('tokens/s', 'tokens_per_s', 0),
      ...(data.alternatives.some(row => row.why_not) ?
          [{title: 'why not', isText: true, value: row => row.why_not || ''}] : [])],
      data.alternatives, {isChosen: row => setting(row) === setting(data)}));
  if (data.layer)
    addSection('layer', 'One layer', makeTable('Parts of a layer with experts, one micro-batch without overlap', [
      {title: 'part', value: row => row.name},
      {title: 'kind', value: row => row.kind},
      numberColumn('forward us', 'forward_us', 1), numberColumn('backward us', 'backward_us', 1)],
      data.layer.parts.filter(row => row.forward_us > 0 || row.backward_us > 0)));
  if (data.not_modelled.length)
    addSection('not-modelled', 'Not modeled',
               el('ul', {}, data.not_modelled.map(what => el('li', {}, what))));
  addObject('settings', 'Settings', data);
}
