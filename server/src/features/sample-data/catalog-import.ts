import { addRoot, callModel, sampleModels } from './sample-steps.ts'
import type { SampleTrace } from './sample-trace.ts'

/*
 * One trace of many spans: an import that describes products in batches, with four spans per product.
 */

const spanCount = 5_000
const productsPerBatch = 60

export function catalogImport(trace: SampleTrace): void {
  const { random } = trace
  const root = trace.newSpanId()
  let toMs = 0
  // Leaves one span for the root, which is added last.
  for (let batch = 0; trace.spans.length < spanCount - 1; batch += 1) {
    toMs = Math.max(toMs, importBatch(trace, root, batch))
  }
  trace.log({
    span: root,
    atMs: toMs,
    level: 'info',
    text: 'catalog imported',
    attributes: { products: random.whole(1_190, 1_240) },
  })
  addRoot(trace, {
    ...{ spanId: root, name: 'import the catalog', toMs: toMs + 12 },
    ...{ input: 'catalog-2026-11.csv', output: 'All products have a description.' },
  })
}

function importBatch(trace: SampleTrace, root: string, batch: number): number {
  const { random } = trace
  const parent = trace.newSpanId()
  const fromMs = 40 + batch * 900
  let atMs = fromMs
  for (let place = 0; place < productsPerBatch && trace.spans.length < spanCount - 6; place += 1) {
    atMs = importProduct(
      trace,
      parent,
      atMs + random.whole(5, 60),
      batch * productsPerBatch + place,
    )
  }
  // The remaining spans, fewer than a product takes.
  while (trace.spans.length >= spanCount - 6 && trace.spans.length < spanCount - 2) {
    step(trace, parent, 'skip product', atMs, atMs + 1)
  }
  trace.add({
    ...{ spanId: parent, parent: root, name: `batch ${batch + 1}`, fromMs, toMs: atMs + 5 },
    attributes: { 'gen_ai.operation.name': 'invoke_workflow', 'batch.size': productsPerBatch },
  })
  return atMs + 5
}

function importProduct(trace: SampleTrace, batch: string, fromMs: number, number: number): number {
  const { random } = trace
  const parent = trace.newSpanId()
  step(trace, parent, 'parse row', fromMs + 1, fromMs + 3)
  const describedMs = callModel(trace, {
    parent,
    fromMs: fromMs + 4,
    model: sampleModels.small,
    messages: [{ role: 'user', text: `Describe product ${number} in one sentence.` }],
    answer: { role: 'assistant', text: `Product ${number}: sturdy, light and made to last.` },
    hiddenTokens: 260,
    cached: 128,
  })
  const isSlow = random.chance(0.02)
  const toMs = describedMs + (isSlow ? random.whole(700, 2_500) : random.whole(3, 30))
  step(trace, parent, 'store description', describedMs + 1, toMs)
  trace.add({
    ...{ spanId: parent, parent: batch, name: 'describe product', fromMs, toMs: toMs + 1 },
    attributes: { 'gen_ai.operation.name': 'invoke_workflow', 'product.number': number },
  })
  return toMs + 1
}

function step(trace: SampleTrace, parent: string, name: string, fromMs: number, toMs: number) {
  trace.add({ name, parent, fromMs, toMs, attributes: { 'code.function.name': name } })
}
