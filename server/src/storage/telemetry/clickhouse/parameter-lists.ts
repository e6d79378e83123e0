/*
 * Lists of ids in the parameters of a statement. A server refuses a parameter beyond `http_max_field_value_size`, which
 * is 128 KiB by default.
 */

/** A trace, by its project and id. */
export type TraceKey = readonly [projectId: string, traceId: string]

const listBytesMax = 100_000
const listItemsMax = 5000

/** Parts of a list, in order, each of which fits in a parameter. */
export function splitForParameter<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
): Generator<readonly Item[], void> {
  // In quotes, and each character possibly escaped.
  const bytesOf = (item: Item) => 2 * Buffer.byteLength(textOf(item)) + 3
  const least = listBytesMax / listItemsMax
  return splitBySize(items, (item) => Math.max(least, bytesOf(item)), listBytesMax)
}

/** Parts of a list, in order, of a size of at most `max` together; a larger item is a part of its own. */
export function* splitBySize<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  max: number,
): Generator<readonly Item[], void> {
  let [start, size] = [0, 0]
  for (const [index, item] of items.entries()) {
    const added = sizeOf(item)
    if (index > start && size + added > max) {
      yield items.slice(start, index)
      ;[start, size] = [index, 0]
    }
    size += added
  }
  if (start < items.length) yield items.slice(start)
}

/** Parts of a list of traces, for statements with `ofTraces`. */
export function splitTraceKeys(keys: readonly TraceKey[]): Generator<readonly TraceKey[], void> {
  // Projects and traces are a list each, of which the longer one counts.
  return splitForParameter(keys, ([project, trace]) =>
    project.length > trace.length ? project : trace,
  )
}

/** The parameters of statements on some traces. */
export function ofTraces(keys: readonly TraceKey[]) {
  return { projects: keys.map(([project]) => project), traces: keys.map(([, trace]) => trace) }
}

export function toKey(key: TraceKey): string {
  return JSON.stringify(key)
}
