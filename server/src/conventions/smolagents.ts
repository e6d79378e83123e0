import type { Convention } from './convention.ts'
import type { AttributeValue } from './decoded-span.ts'

/*
 * smolagents under OpenInference. Its steps report the agent's usage so far, not their own: a step whose call failed
 * would count all steps before it again.
 */

const step = /^Step \d+$/

export const smolagents: Convention = {
  title: 'smolagents',
  about:
    'OpenInference’s keys, with one exception: the token counts of a step (`Step 1`) are the agent’s running totals and not its own, so they are left among the raw attributes.',
  prefixes: ['smolagents.'],
  spanNames: ['Step '],
  keys: {},
  usage: ({ name, attributes }) =>
    step.test(name) &&
    attributes.get('openinference.span.kind') === 'CHAIN' &&
    isStep(attributes.get('input.value'))
      ? 'running-total'
      : undefined,
}

function isStep(input: AttributeValue | undefined): boolean {
  return typeof input === 'string' && input.includes('"memory_step"')
}
