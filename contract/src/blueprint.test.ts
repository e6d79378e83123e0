import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agentConfig } from './agent-config.ts'
import { type Blueprint, blueprint, toAgentConfig } from './blueprint.ts'
import { limits } from './limits.ts'

const withRules = (prompt: string, goals: readonly string[], policies: readonly string[]) =>
  blueprint.parse({
    domain: 'shop',
    agent: {
      system_prompt: prompt,
      goals,
      policies: policies.map((text, at) => ({
        ...{ id: `P${at}`, text, tools: [] },
        ...{ source_quote: null, source_start: null, source_end: null },
      })),
    },
    system_of_record: { entities: [], relations: [] },
    tasks: [],
  }) satisfies Blueprint

describe('the agent of a blueprint', () => {
  test('has goals and policies at the end of its system prompt, but not those that it has already', () => {
    const prompt = 'Help buyers. Refund within 30 days.'
    const policies = ['Refund within 30 days.', 'Never share addresses.']
    expect(toAgentConfig(withRules(prompt, ['Be quick'], policies)).system_prompt).toBe(
      `${prompt}\n\nGoals:\n- Be quick\n\nPolicies:\n- Never share addresses.`,
    )
    expect(toAgentConfig(withRules(prompt, [], [])).system_prompt).toBe(prompt)
  })

  test('is valid, whatever the number and length of its rules', () => {
    const rule = fc
      .tuple(fc.string({ minLength: 1, maxLength: 20 }), fc.nat(980))
      .map(([text, more]) => text + 'x'.repeat(more))
    const prompt = fc.nat(limits.systemPromptLength.value - 1).map((n) => 'p'.repeat(n + 1))
    const rules = (max: number) => fc.array(rule, { maxLength: max })
    const parts = fc.tuple(prompt, rules(20), rules(60))
    fc.assert(
      fc.property(parts, ([text, goals, policies]) => {
        const config = toAgentConfig(withRules(text, goals, policies))
        expect(agentConfig.safeParse(config).success).toBe(true)
        expect(config.system_prompt.startsWith(text)).toBe(true)
      }),
      { numRuns: 30 },
    )
  })
})
