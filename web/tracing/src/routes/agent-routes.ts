import { defineHome, definePage } from '@assay/account/routes/define-page.ts'
import { text } from '@assay/account/routes/search-fields.ts'
import { searchSchema } from '@assay/account/routes/search-schema.ts'
import { IconCalculator, IconFileText } from '@tabler/icons-react'
import { compareRunsSearch } from '../pages/cost-calculator/compare-runs-search.ts'
import { estimateSearch } from '../pages/cost-calculator/estimate-search.ts'
import { importSearch } from '../pages/cost-calculator/import-search.ts'
import { runSearch } from '../pages/cost-calculator/run-search.ts'
import { blueprintSearch } from '../pages/synthetic/blueprint-search.ts'
import { sourceSearch } from '../pages/synthetic/source-search.ts'
import { project } from './project.ts'

/*
 * The pages of a project that plan an agent: what it costs, and agents from documents.
 */

const costCalculator = definePage({
  parent: project,
  path: '/cost-calculator',
  title: 'Cost calculator',
  link: true,
  goKey: 'c',
  Icon: IconCalculator,
  load: () => import('../pages/cost-calculator/CostFrame.tsx').then((file) => file.CostFrame),
})

const costAgent = definePage({
  parent: costCalculator,
  path: '/agent',
  title: 'Cost calculator agent',
  link: 'Agent',
  keywords: 'cost calculator estimate budget system prompt tools simulate',
  search: estimateSearch,
  load: () => import('../pages/cost-calculator/AgentPage.tsx').then((file) => file.AgentPage),
})

const costImport = definePage({
  parent: costCalculator,
  path: '/import',
  title: 'Import from recorded runs',
  keywords: 'cost calculator calibrate extract agent',
  search: importSearch,
  load: () => import('../pages/cost-calculator/ImportPage.tsx').then((file) => file.ImportPage),
})

const costEstimate = definePage({
  parent: costCalculator,
  path: '/estimate',
  title: 'Cost estimate',
  link: 'Estimate',
  search: estimateSearch,
  load: () => import('../pages/cost-calculator/EstimatePage.tsx').then((file) => file.EstimatePage),
})

const costRuns = definePage({
  parent: costCalculator,
  path: '/runs',
  title: 'Cost calculator runs',
  link: 'Runs',
  keywords: 'cost calculator simulate scenarios recommendation models',
  search: compareRunsSearch,
  load: () => import('../pages/cost-calculator/RunsPage.tsx').then((file) => file.RunsPage),
})

const costRun = definePage({
  parent: costCalculator,
  path: '/runs/$runId',
  title: 'Cost calculator run',
  search: runSearch,
  load: () => import('../pages/cost-calculator/RunPage.tsx').then((file) => file.RunPage),
})

const compareRuns = definePage({
  parent: costCalculator,
  path: '/compare',
  title: 'Compare runs',
  search: compareRunsSearch,
  load: () =>
    import('../pages/cost-calculator/CompareRunsPage.tsx').then((file) => file.CompareRunsPage),
})

const synthetic = definePage({
  parent: project,
  path: '/synthetic',
  title: 'Synthetic setup',
  link: true,
  Icon: IconFileText,
  load: () => import('../pages/synthetic/SyntheticFrame.tsx').then((file) => file.SyntheticFrame),
})

const syntheticSource = definePage({
  parent: synthetic,
  path: '/source',
  title: 'Synthetic setup',
  link: 'Source',
  keywords: 'document policy manual agent from a document blueprint upload',
  search: sourceSearch,
  load: () => import('../pages/synthetic/SourcePage.tsx').then((file) => file.SourcePage),
})

const syntheticBlueprint = definePage({
  parent: synthetic,
  path: '/blueprint',
  title: 'Agent blueprint',
  link: 'Blueprint',
  search: blueprintSearch,
  load: () => import('../pages/synthetic/BlueprintPage.tsx').then((file) => file.BlueprintPage),
})

const syntheticScenarios = definePage({
  parent: synthetic,
  path: '/scenarios',
  title: 'Blueprint scenarios',
  link: 'Scenarios',
  search: searchSchema({ open: text }),
  load: () => import('../pages/synthetic/ScenariosPage.tsx').then((file) => file.ScenariosPage),
})

export const costCalculatorRoutes = costCalculator.addChildren([
  defineHome(costCalculator, '/p/$projectId/cost-calculator/agent'),
  costAgent,
  costImport,
  costEstimate,
  costRuns,
  costRun,
  compareRuns,
])

export const syntheticRoutes = synthetic.addChildren([
  defineHome(synthetic, '/p/$projectId/synthetic/source'),
  syntheticSource,
  syntheticBlueprint,
  syntheticScenarios,
])
