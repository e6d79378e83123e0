import { type Aggregates, addAggregates, emptyAggregates, isEmpty } from './trace-rollup.ts'

/** Aggregates by model, and their changes since they were last read. */
export class ModelAggregates {
  readonly #current = new Map<string, Aggregates>()
  #changes = new Map<string, Aggregates>()
  /** Of all models, including those that are only added here. */
  readonly sums = { calls: 0, unpriced: 0 }

  get current(): ReadonlyMap<string, Aggregates> {
    return this.#current
  }

  add(model: string, added: Aggregates, times: 1 | -1): void {
    addTo(this.#current, model, added, times)
    addTo(this.#changes, model, added, times)
    this.addToSums(added, times)
  }

  addToSums({ calls, unpriced }: Pick<Aggregates, 'calls' | 'unpriced'>, times: 1 | -1): void {
    this.sums.calls += times * calls
    this.sums.unpriced += times * unpriced
  }

  /** The model remains in the sums. */
  drop(model: string): void {
    const aggregates = this.#current.get(model)
    if (aggregates !== undefined) addTo(this.#changes, model, aggregates, -1)
    this.#current.delete(model)
  }

  clear(): void {
    for (const model of [...this.#current.keys()]) this.drop(model)
    this.addToSums({ ...this.sums }, -1)
  }

  /** The aggregates as last read, and the changes since. */
  take(): {
    readonly earlier: () => ReadonlyMap<string, Aggregates>
    readonly changes: ReadonlyMap<string, Aggregates>
  } {
    const changes = this.#changes
    this.#changes = new Map()
    const earlier = () => {
      const models = new Map(
        [...this.#current].map(([model, each]) => [model, copyAggregates(each)]),
      )
      for (const [model, change] of changes) addTo(models, model, change, -1)
      return models
    }
    return { earlier, changes }
  }
}

function addTo(models: Map<string, Aggregates>, model: string, added: Aggregates, times: 1 | -1) {
  const aggregates = models.get(model) ?? emptyAggregates()
  addAggregates(aggregates, added, times)
  if (isEmpty(aggregates)) models.delete(model)
  else models.set(model, aggregates)
}

function copyAggregates(aggregates: Aggregates): Aggregates {
  return { ...aggregates, latencies: new Map(aggregates.latencies) }
}
