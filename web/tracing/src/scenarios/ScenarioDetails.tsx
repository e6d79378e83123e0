import type { ScenarioSummary } from '@assay/contract/scenarios.ts'
import { RowDetails } from '../parts/RowDetails.tsx'
import styles from './scenarios.module.css'

/** What the simulated user wants and writes. */
export function ScenarioDetails({ scenario }: { readonly scenario: ScenarioSummary }) {
  const { conversation_plan: plan, turns, tools, origin, intent } = scenario
  const facts = [
    ['Intent', intent],
    ['Goal', plan.goal],
    ['Known', plan.known.join('; ')],
    ['Unknown', plan.unknown.join('; ')],
    ['Satisfied when', plan.satisfied_when],
    ['Needs the tools', tools.join(', ')],
    ['Written by', origin === 'model' ? 'a model' : 'a template'],
  ] as const
  return (
    <RowDetails facts={facts}>
      <ol className={styles.turns} aria-label="Messages of the user">
        {turns.map(({ content }, at) => (
          <li key={at}>{content}</li>
        ))}
      </ol>
    </RowDetails>
  )
}
