'use strict';

// What the page shows, made of the JSON beside it. Nothing here draws.

const data = JSON.parse(document.getElementById('data').textContent);

/** One program: what its JSON says, with tasks as arrays by their number. */
function makeProgram(json, title) {
  const timeline = json.timeline;
  const count = timeline.tasks.length;
  const program = {
    json, title, count,
    streams: json.streams, kinds: timeline.kinds, exchanges: json.exchanges,
    makespanUs: json.makespan_us,
    kindOf: new Int32Array(count), start: new Float64Array(count),
    end: new Float64Array(count), layer: new Array(count),
    chunk: new Int32Array(count), after: new Array(count),
    isCritical: new Uint8Array(count), critical: timeline.critical_path,
    memory: timeline.memory,
    lanes: json.streams.map(() => []),
    layers: [],
  };
  const seen = new Set();
  timeline.tasks.forEach(([kind, layer, chunk, start, end, after], i) => {
    program.kindOf[i] = kind;
    program.layer[i] = layer;
    program.chunk[i] = chunk;
    program.start[i] = start;
    program.end[i] = end;
    program.after[i] = after;
    program.lanes[program.kinds[kind].stream].push(i);
    if (!seen.has(layer)) {
      seen.add(layer);
      program.layers.push(layer);
    }
  });
  for (const i of program.critical)
    program.isCritical[i] = 1;
  for (const lane of program.lanes)
    lane.sort((a, b) => program.start[a] - program.start[b] ||
                        program.end[a] - program.end[b]);
  // The task before each on its stream.
  program.previous = new Int32Array(count).fill(-1);
  for (const lane of program.lanes)
    for (let i = 1; i < lane.length; ++i)
      program.previous[lane[i]] = lane[i - 1];
  return program;
}

/** Programs by the names of their files, without folders where that will do. */
function makePrograms() {
  if (data.timeline === undefined)
    return [];
  const all = [data, ...(data.baselines || [])].concat(data.measured || []);
  const short = all.map(json => json.file.replace(/^.*\//, ''));
  const isUnique = new Set(short).size === all.length;
  return all.map((json, i) => makeProgram(json,
      (json === data.measured ? 'measured: ' : '') +
          (isUnique ? short[i] : json.file)));
}
const programs = makePrograms();
/** Those that are predicted: what was measured has no critical path. */
const predicted = programs.filter(program => program.json !== data.measured);

const kindOf = (program, task) => program.kinds[program.kindOf[task]];

/** The name of a task without the number that tells it from others like it. */
const getBaseName = kind => kind.name.replace(/\.\d+$/, '');

/** A layer in words; tasks of none have an empty name. */
const nameLayer = layer => layer === '' ? 'outside of layers' : layer;

/** "dispatch[2 of 4]", as tasks are written. */
function nameTask(program, task) {
  const kind = kindOf(program, task);
  return kind.chunks > 1 ?
      `${kind.name}[${program.chunk[task]} of ${kind.chunks}]` : kind.name;
}

/** The task whose end let a task start; -1 for none. */
function findCause(program, task) {
  let cause = -1;
  const before = program.after[task].concat(
      program.previous[task] < 0 ? [] : [program.previous[task]]);
  for (const one of before)
    if (cause < 0 || program.end[one] > program.end[cause])
      cause = one;
  return cause;
}

/** Bytes that one rank sends in a task; null where that is not known. */
function getBytes(program, task) {
  let sum = 0;
  for (const place of kindOf(program, task).exchanges || []) {
    const bytes = program.exchanges[place].bytes;
    if (bytes === undefined)
      return null;
    sum += bytes;
  }
  return sum;
}

/** Adds up numbers by a key: a map in the order in which keys come. */
function sumBy(items, key, value) {
  const sums = new Map();
  for (const item of items) {
    const k = key(item);
    sums.set(k, (sums.get(k) || 0) + value(item));
  }
  return sums;
}

const taskNumbers = program => Array.from({length: program.count}, (_, i) => i);

/** Whether a task sums gradients: over ranks that have other tokens. */
const isGradientSum = (program, kind) => kind.phase === 'bwd' &&
    (kind.exchanges || []).some(place => {
      const {kind: word, axes} = program.exchanges[place];
      const names = axes.split('+');
      return (word === 'all_reduce' || word === 'reduce_scatter') &&
          (names.includes('dp') || (word === 'all_reduce' && !names.includes('tp')));
    });

/** What each layer and phase takes, those with most of the critical path first. */
function sumLayers(program) {
  const rows = new Map();
  for (let i = 0; i < program.count; ++i) {
    const kind = kindOf(program, i);
    const key = JSON.stringify([program.layer[i], kind.phase]);
    let row = rows.get(key);
    if (!row)
      rows.set(key, row = {
        layer: program.layer[i], phase: kind.phase, first: i, tasks: 0,
        from: Infinity, to: 0, criticalUs: 0, sumsUs: 0, byStream: new Map(),
      });
    const us = program.end[i] - program.start[i];
    const stream = program.streams[kind.stream].name;
    row.tasks += 1;
    row.from = Math.min(row.from, program.start[i]);
    row.to = Math.max(row.to, program.end[i]);
    row.criticalUs += program.isCritical[i] ? us : 0;
    row.sumsUs += program.isCritical[i] && isGradientSum(program, kind) ? us : 0;
    row.byStream.set(stream, (row.byStream.get(stream) || 0) + us);
  }
  // Of times that differ by rounding the first layer comes first.
  const rounded = row => Math.round(row.criticalUs * 1e4);
  return [...rows.values()].sort((a, b) => rounded(b) - rounded(a) || a.first - b.first);
}

/** Bytes that one rank sends, by a word of each exchange or of its levels. */
function sumBytes(program, getParts) {
  const sums = new Map();
  for (let i = 0; i < program.count; ++i)
    for (const place of kindOf(program, i).exchanges || [])
      for (const [key, bytes] of getParts(program.exchanges[place]))
        sums.set(key, (sums.get(key) || 0) + bytes);
  return sums;
}

const bytesByAxes = program => sumBytes(program, exchange =>
    [[`${exchange.axes} ${exchange.kind}`, exchange.bytes || 0]]);
const bytesByLevel = program => sumBytes(program, exchange =>
    exchange.levels.map(level => [level.name, level.rank_bytes]));
