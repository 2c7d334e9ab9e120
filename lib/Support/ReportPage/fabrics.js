// What planners say of networks: what they cost, what exchanges and training steps
// take on them, and how well loads of experts are predicted.

/** Rows that agree on some keys, in the order in which they come. */
function groupRows(rows, keys) {
  const groups = new Map();
  for (const row of rows) {
    const key = JSON.stringify(keys.map(name => row[name]));
    groups.set(key, [...(groups.get(key) || []), row]);
  }
  return [...groups.values()];
}

/** Whether rows differ in a key. */
const varies = (rows, key) => new Set(rows.map(row => row[key])).size > 1;

/** A column of numbers that rows may lack. */
const numberColumn = (title, key, digits = 3) => ({
  title, number: true,
  value: row => Number.isFinite(row[key]) ? row[key] : Infinity,
  show: row => Number.isFinite(row[key]) ? exact(format(row[key], digits), row[key]) : '–'});

const formatUsd = usd => `${format(usd, 0)} usd`;

/**
 * Rows as lines over `across`, one for each word that `name` gives a row, of the
 * numbers at `key`.
 */
function addLines(section, caption, rows, across, name, key, unit) {
  const byPlace = new Map();
  const lines = [];
  for (const row of rows) {
    const line = name(row);
    if (!lines.includes(line))
      lines.push(line);
    byPlace.set(row[across], {...byPlace.get(row[across]), [across]: row[across], [line]: row[key]});
  }
  const places = [...byPlace.values()].sort((a, b) => a[across] - b[across]);
  section.append(el('figure', {},
      drawLines(caption, places, across, lines, [], {unit}), drawLegend(lines),
      el('figcaption', {}, `${caption}.`)));
}

//--- moe-fabric cost --------------------------------------------------------------

function addCost() {
  const rows = data.fabrics || [data];
  const cheapest = [...rows].sort((a, b) => a.per_server_usd - b.per_server_usd)[0];
  addAnswer(rows.length === 1 ? [
    makeFact(data.fabric, formatUsd(data.total_usd), data.total_usd,
             `${format(data.servers, 0)} servers, ${format(data.rate_gbps)} Gb/s per NIC`),
    makeFact('per server', formatUsd(data.per_server_usd), data.per_server_usd),
    makeFact('cost of a fat tree', `${format(data.fat_tree_over_this)}×`,
             data.fat_tree_over_this, 'the cost of this network'),
    ...listFactsOf(data, [['performance_per_dollar', 'performance per dollar over a fat tree',
                           value => `${format(value)}×`]]),
  ] : [
    makeFact('cheapest', cheapest.fabric, undefined,
             `${formatUsd(cheapest.per_server_usd)} per server at ${format(cheapest.rate_gbps)} Gb/s`),
  ], el('p', {class: 'soft'}, `Prices of ${data.prices}: ${data.origin}`));
  if (rows.length > 1) {
    const section = addSection('fabrics', 'Fabrics and rates');
    if (varies(rows, 'rate_gbps'))
      addLines(section, 'Dollars per server over Gb/s per NIC', rows, 'rate_gbps',
               row => row.fabric, 'per_server_usd', 'usd');
    else
      section.append(el('figure', {}, drawBars('Dollars per server', rows.map(row => ({
        name: row.fabric, value: row.per_server_usd, isChosen: row === cheapest})), formatUsd)));
    section.append(makeTable('Cost of the networks', [
      {title: 'fabric', value: row => row.fabric},
      numberColumn('Gb/s', 'rate_gbps'), numberColumn('usd per server', 'per_server_usd', 0),
      numberColumn('usd', 'total_usd', 0), numberColumn('fat tree over this', 'fat_tree_over_this'),
    ], rows, {isHigh: true, isChosen: row => row === cheapest}));
  }
  const parts = rows.flatMap(row => row.parts_of_a_server.map(part => ({row, ...part})));
  const section = addSection('parts', 'Network parts per server');
  if (rows.length === 1)
    section.append(el('figure', {}, drawBars('Dollars per server', parts.map(part =>
        ({name: `${format(part.count, 1)} × ${part.part}`, value: part.usd})), formatUsd)));
  section.append(makeTable('Parts of a server', [
    {title: 'part', value: part => part.part},
    ...(rows.length > 1 ? [{title: 'fabric', value: part => part.row.fabric},
        {title: 'Gb/s', number: true, value: part => part.row.rate_gbps}] : []),
    numberColumn('count', 'count'), numberColumn('usd', 'usd', 2),
  ], parts, {isHigh: true, page: 200}));
}

//--- moe-fabric job ---------------------------------------------------------------

/** "mfabric, 6 optical NICs": what tells a row from the others of its group. */
function nameJobRow(row, rows) {
  return row.fabric +
      (row.optical_nics !== null && varies(rows.filter(one => one.optical_nics !== null),
           'optical_nics') ? `, ${row.optical_nics} optical NICs` : '') +
      (row.reconfiguration_us !== null && varies(rows.filter(one =>
           one.reconfiguration_us !== null), 'reconfiguration_us') ?
           `, reconfiguration in ${format(row.reconfiguration_us, 0)} us` : '');
}

function addJob() {
  const {steps} = data;
  // Failures may leave a job without a way: no time is to be drawn of it then.
  const possible = steps.filter(row => row.step_ms !== null);
  const hasFailed = steps.some(row => Number.isFinite(row.before_failure_ms));
  const groups = groupRows(possible, ['model', 'gpus', 'rate_gbps']);
  const perDollar = possible.filter(row => Number.isFinite(row.performance_per_dollar))
      .sort((a, b) => b.performance_per_dollar - a.performance_per_dollar)[0];
  const fastest = possible.filter(row => Number.isFinite(row.speed_of_fat_tree))
      .sort((a, b) => b.speed_of_fat_tree - a.speed_of_fat_tree)[0];
  const words = {model: value => value, gpus: value => `${format(value, 0)} GPUs`,
                 rate_gbps: value => `${format(value, 0)} Gb/s`};
  const where = (row, keys = Object.keys(words)) =>
      keys.map(key => words[key](row[key])).join(', ');
  addAnswer([
    !fastest ? makeFact('fastest', possible.length ? 'see the bars' : 'none', undefined,
                        'no path remains in the fat tree to compare with') :
    fastest.speed_of_fat_tree > 1.001 ?
        makeFact('fastest compared with a fat tree', fastest.fabric, undefined,
                 `${format(fastest.speed_of_fat_tree)}× as fast; ${where(fastest)}`) :
        makeFact('fastest', hasFailed ? 'a fat tree without failures' : 'a fat tree', undefined,
                 'no other is faster'),
    ...(perDollar ? [makeFact('most per dollar', perDollar.fabric, undefined,
        `${format(perDollar.performance_per_dollar)}× a fat tree; ${where(perDollar)}`)] : []),
  ], el('p', {class: 'soft'},
        `${format(data.micro_batches, 0)} micro-batches; GPUs at ${format(data.utilisation * 100)} % of ` +
        `${format(data.peak_tflops)} TFLOP/s; expert loads ` + (data.exponent === undefined ?
            `of ${format(data.trace_steps, 0)} iterations of a trace` : `that fall with p^-${format(data.exponent)}`) + '; ' +
        `prices: ${data.prices}`), steps.length > possible.length ? el('p', {},
        `After the failures, no path remains in ${steps.length - possible.length} of ${steps.length} rows ` +
        'of the table.') : null);
  if (possible.length)
    addJobPictures(possible, groups, where);
  addJobTable(steps, hasFailed);
}

/** Steps as bars, and as lines over what varies. */
function addJobPictures(steps, groups, where) {
  // Within a thousandth the first of them.
  const isBest = (row, rows) => row === rows.find(one =>
      one.step_ms <= 1.001 * Math.min(...rows.map(other => other.step_ms)));
  const bars = addSection('steps', 'Step time of each fabric');
  const most = 8;
  for (const rows of groups.slice(0, most))
    bars.append(el('figure', {}, el('figcaption', {}, `${where(rows[0])}.`),
        drawBars(`Step time of ${where(rows[0])}`, rows.map(row => ({
          name: nameJobRow(row, rows), value: row.step_ms,
          isChosen: isBest(row, rows)})),
          ms => `${format(ms, 1)} ms`)));
  if (groups.length > most)
    bars.append(el('p', {class: 'soft'}, `The table has ${groups.length - most} more.`));
  for (const [across, axis, others] of [
      ['rate_gbps', 'Gb/s per NIC', ['model', 'gpus']],
      ['gpus', 'GPUs', ['model', 'rate_gbps']],
      ['optical_nics', 'optical NICs', ['model', 'gpus', 'rate_gbps']],
      ['reconfiguration_us', 'reconfiguration time in us', ['model', 'gpus', 'rate_gbps']]]) {
    const having = steps.filter(row => row[across] !== null);
    for (const rows of groupRows(having, others).slice(0, most))
      if (varies(rows, across))
        addLines(bars, `Step time of ${where(rows[0], others)} in ms over ${axis}`,
                 rows, across, row => nameJobRow({...row, [across]: null},
                     rows.map(one => ({...one, [across]: null}))), 'step_ms', 'ms');
  }
}

/** Rows of a job, those without a way, too. */
function addJobTable(steps, hasFailed) {
  addSection('rows', 'All rows', makeTable('Step times; parts are of one micro-batch on the slowest stage', [
    {title: 'model', value: row => row.model},
    {title: 'fabric', value: row => row.fabric},
    numberColumn('GPUs', 'gpus', 0), numberColumn('Gb/s', 'rate_gbps', 0),
    numberColumn('optical NICs', 'optical_nics', 0),
    numberColumn('change us', 'reconfiguration_us', 0),
    {...numberColumn('step ms', 'step_ms'),
     show: row => row.step_ms === null ? 'no path' : exact(format(row.step_ms), row.step_ms)},
    ...(hasFailed ? [numberColumn('slower ×', 'slowdown')] : []),
    numberColumn('× fat tree', 'speed_of_fat_tree'),
    numberColumn('per usd', 'performance_per_dollar'), numberColumn('compute ms', 'compute_ms'),
    numberColumn('exchanges ms', 'exchange_ms'), numberColumn('change ms', 'change_ms'),
    numberColumn('stages ms', 'send_ms'), numberColumn('gradients ms', 'gradient_ms'),
  ], steps, {isHigh: true, page: 200}));
}

//--- moe-fabric fabric ------------------------------------------------------------

/** A column of a part of a whole, with a bar. */
const useColumns = (title, key) => [
  {title: `${title} %`, number: true, value: row => row[key],
   show: row => exact(format(row[key] * 100, 1), row[key])},
  {title: '', show: row => meter(row[key])}];

const bytesColumn = {title: 'bytes', number: true, value: row => row.bytes,
                     show: row => exact(formatBytes(row.bytes), row.bytes)};

/** Tables of sorts of links and of the busiest links of a fabric. */
const listLinkUse = ({classes, busiest}) => [
  makeTable('Utilization by kind of link while exchanges ran', [
    {title: 'kind', value: row => row.class}, numberColumn('links', 'links', 0), bytesColumn,
    ...useColumns('mean use', 'mean_utilisation'),
    ...useColumns('busiest', 'busiest_utilisation')], classes),
  makeTable('Busiest links', [
    {title: 'link', value: row => row.link}, bytesColumn,
    ...useColumns('use', 'utilisation')], busiest, {isHigh: true})];

/** What links of a fabric carried while a program's exchanges ran (moe-sim --fabric). */
function addFabric() {
  const having = predicted.filter(program => program.json.fabric);
  if (!having.length)
    return;
  const section = addSection('fabric', 'Fabric');
  for (const {title, json: {fabric}} of having) {
    if (having.length > 1)
      section.append(el('h3', {}, title));
    section.append(
      el('p', {}, `${fabric.kind} of ${format(fabric.servers, 0)} servers with ` +
          `${fabric.nics_per_server} NICs of ${fabric.rate_gbps} Gb/s each` +
          (fabric.copies > 1 ? `, ${format(fabric.copies, 0)} copies of the program at once.` : '.')),
      ...listLinkUse(fabric));
  }
}

function addFabricPlan() {
  addAnswer([
    makeFact(data.fabric, formatUs(data.time_us), data.time_us,
             `${format(data.exchanges.length, 0)} ` +
                 `${data.exchanges.length === 1 ? 'exchange' : 'exchanges, one after the other'}`),
    makeFact('servers', format(data.servers, 0), data.servers,
             `${data.nics_per_server} NICs of ${format(data.rate_gbps)} Gb/s, ` +
                 `${data.ranks_per_server} ranks; ${format(data.groups, 0)} groups`),
    ...(data.busiest.length ? [makeFact('busiest link', data.busiest[0].link, undefined,
        `used ${format(data.busiest[0].utilisation * 100, 1)} % of the time`)] : [])]);
  if (data.failures)
    addSection('failures', 'Failed NICs', el('figure', {}, drawBars(
        'Time of all exchanges', [
          {name: 'none failed', value: data.failures.before_us},
          {name: 'right after the failure', value: data.failures.at_once_us},
          {name: 'with new circuits', value: data.failures.replanned_us, isChosen: true},
          {name: 'a fat tree with all NICs', value: data.failures.fat_tree_before_us},
          {name: 'a fat tree without these NICs', value: data.failures.fat_tree_us}], formatUs)));
  addSection('links', 'Links by load', listLinkUse(data));
  const few = data.exchanges.length <= 24;
  addSection('exchanges', 'Exchanges',
    few ? el('figure', {}, drawBars('Time of exchanges', data.exchanges.map(row => ({
      name: `step ${row.step}${row.layer === '' ? '' : `, layer ${row.layer}`}`,
      value: row.time_us})), formatUs)) : null,
    makeTable('Each exchange', [
      {title: 'step', number: true, value: row => row.step},
      {title: 'layer', value: row => row.layer}, numberColumn('us', 'time_us'),
      numberColumn('bytes between servers', 'sent_bytes', 0), numberColumn('flows', 'flows', 0),
      numberColumn('circuits', 'circuits', 0)], data.exchanges, {isHigh: true, page: 200}));
}

//--- moe-fabric predict -----------------------------------------------------------

function addPrediction() {
  const rows = Object.entries(data.methods).map(([name, of]) => ({name: kWords(name), key: name, ...of}))
      .sort((a, b) => a.mean_l1 - b.mean_l1);
  const isBest = row => row.key === data.best;
  const best = rows.find(isBest);
  addAnswer([
    makeFact('best', best.name, undefined, best.meaning),
    makeFact('its mean L1 distance', format(best.mean_l1), best.mean_l1,
             'between predicted and actual expert shares: 0 is exact, 2 the largest possible'),
    makeFact(`top ${data.top} found`, `${format(best.top_share * 100, 1)} %`, best.top_share,
             `of ${format(data.experts, 0)} experts`)],
    data.notes.map(note => el('p', {}, `${note}.`)));
  addSection('methods', 'Prediction methods', el('figure', {},
      drawBars('Mean L1 distance', rows.map(row => ({
        name: row.name, value: row.mean_l1, isChosen: isBest(row)})), value => format(value)),
      el('figcaption', {}, 'Mean L1 distance: shorter is better.')),
    makeTable('Each over all predictions', [
      {title: 'method', value: row => row.name}, numberColumn('mean L1', 'mean_l1', 4),
      {title: `top ${data.top} found %`, number: true, value: row => row.top_share,
       show: row => exact(format(row.top_share * 100, 1), row.top_share)},
      numberColumn('predictions', 'predictions', 0),
      {title: 'meaning', value: row => row.meaning}], rows, {isChosen: isBest}));
}
