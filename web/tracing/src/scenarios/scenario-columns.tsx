import type { ScenarioSummary } from '@assay/contract/scenarios.ts'
import type { Column } from '@assay/ui/table/table-model.ts'
import { TwoLines } from '../page/TwoLines.tsx'
import { categoryLabels } from './category-labels.ts'

export const scenarioColumns: readonly Column<ScenarioSummary>[] = [
  {
    ...{ key: 'name', header: 'Scenario', isRowHeader: true, width: 380 },
    cell: ({ name, conversation_plan: { goal } }) => (
      <TwoLines below={goal}>
        <strong>{name}</strong>
      </TwoLines>
    ),
    sortValue: ({ name }) => name,
  },
  {
    ...{ key: 'category', header: 'Category', width: 110 },
    cell: ({ category }) => categoryLabels[category],
    sortValue: ({ category }) => category,
  },
  {
    ...{ key: 'persona', header: 'User', width: 200 },
    cell: ({ persona, complication }) => <TwoLines below={complication ?? ''}>{persona}</TwoLines>,
  },
  { key: 'turns', header: 'Messages', align: 'end', width: 90, cell: ({ turns }) => turns.length },
]
