import { defineHome, defineNotFound, definePage } from '@assay/account/routes/define-page.ts'
import { searchSchema, text } from '@assay/account/routes/search-schema.ts'
import { disagreementKinds } from '@assay/contract/score-agreement.ts'
import { scoreSource } from '@assay/contract/scores.ts'
import {
  IconCalculator,
  IconChartHistogram,
  IconChartLine,
  IconChecklist,
  IconCoin,
  IconDatabase,
  IconFileText,
  IconKey,
  IconListTree,
  IconLogs,
  IconMessages,
  IconSend,
  IconTestPipe,
  IconUsers,
} from '@tabler/icons-react'
import { z } from 'zod'
import { timedSearchSchema } from '../filter/time-range.ts'
import { compareSearch } from '../pages/compare/compare-search.ts'
import { compareRunsSearch } from '../pages/cost-calculator/compare-runs-search.ts'
import { estimateSearch } from '../pages/cost-calculator/estimate-search.ts'
import { importSearch } from '../pages/cost-calculator/import-search.ts'
import { runSearch } from '../pages/cost-calculator/run-search.ts'
import { dashboardSearch } from '../pages/dashboard/dashboard-search.ts'
import { evaluatorSearch } from '../pages/evaluators/evaluator-search.ts'
import { logSearch } from '../pages/logs/log-search.ts'
import { metricSearch } from '../pages/metrics/metric-search.ts'
import { modelsSearch } from '../pages/prices/models-search.ts'
import { blueprintSearch } from '../pages/synthetic/blueprint-search.ts'
import { sourceSearch } from '../pages/synthetic/source-search.ts'
import { viewSearch } from '../pages/trace/view-search.ts'
import { traceSearch } from '../parts/trace-search.ts'
import { signedIn } from './signed-in.ts'

/*
 * The pages of a project, in the order of the navigation.
 */

const project = definePage({
  parent: signedIn,
  path: '/p/$projectId',
  title: 'Project',
  load: () => import('../shell/ProjectFrame.tsx').then((file) => file.ProjectFrame),
})

const traces = definePage({
  parent: project,
  path: '/traces',
  title: 'Traces',
  link: true,
  Icon: IconListTree,
  keywords: 'runs list',
  search: traceSearch,
  load: () => import('../pages/traces/TraceListPage.tsx').then((file) => file.TraceListPage),
})

const trace = definePage({
  parent: project,
  path: '/traces/$traceId',
  title: 'Trace',
  search: viewSearch,
  load: () => import('../pages/trace/TracePage.tsx').then((file) => file.TracePage),
})

const compare = definePage({
  parent: project,
  path: '/compare',
  title: 'Compare traces',
  search: compareSearch,
  load: () => import('../pages/compare/ComparePage.tsx').then((file) => file.ComparePage),
})

const sessions = definePage({
  parent: project,
  path: '/sessions',
  title: 'Sessions',
  link: true,
  Icon: IconMessages,
  keywords: 'conversations chats',
  load: () => import('../pages/sessions/SessionsPage.tsx').then((file) => file.SessionsPage),
})

const session = definePage({
  parent: project,
  path: '/sessions/$sessionId',
  title: 'Session',
  load: () => import('../pages/sessions/SessionPage.tsx').then((file) => file.SessionPage),
})

const users = definePage({
  parent: project,
  path: '/users',
  title: 'Users',
  link: true,
  Icon: IconUsers,
  keywords: 'end users customers',
  load: () => import('../pages/users/UsersPage.tsx').then((file) => file.UsersPage),
})

const dashboard = definePage({
  parent: project,
  path: '/dashboard',
  title: 'Dashboard',
  link: true,
  Icon: IconChartHistogram,
  keywords: 'charts latency cost errors',
  search: dashboardSearch,
  load: () => import('../pages/dashboard/DashboardPage.tsx').then((file) => file.DashboardPage),
})

const scores = definePage({
  parent: project,
  path: '/scores',
  title: 'Scores',
  link: true,
  Icon: IconChecklist,
  load: () => import('../pages/scores/ScoresFrame.tsx').then((file) => file.ScoresFrame),
})

const scoreResults = definePage({
  parent: scores,
  path: '/results',
  title: 'Scores',
  link: 'Results',
  keywords: 'evaluations evaluators quality trends',
  search: searchSchema({ name: text, source: scoreSource }),
  load: () => import('../pages/scores/ScoresPage.tsx').then((file) => file.ScoresPage),
})

const agreement = definePage({
  parent: scores,
  path: '/agreement',
  title: 'Agreement of evaluators and people',
  link: 'Agreement',
  keywords: 'human review disagreement kappa',
  load: () => import('../pages/scores/AgreementPage.tsx').then((file) => file.AgreementPage),
})

const disagreements = definePage({
  parent: scores,
  path: '/agreement/$evaluatorId',
  title: 'Disagreements',
  search: searchSchema({ kind: z.enum(disagreementKinds) }),
  load: () =>
    import('../pages/scores/DisagreementsPage.tsx').then((file) => file.DisagreementsPage),
})

const metrics = definePage({
  parent: project,
  path: '/metrics',
  title: 'Metrics',
  link: true,
  Icon: IconChartLine,
  keywords: 'series explorer',
  search: metricSearch,
  load: () => import('../pages/metrics/MetricsPage.tsx').then((file) => file.MetricsPage),
})

const logs = definePage({
  parent: project,
  path: '/logs',
  title: 'Logs',
  link: true,
  Icon: IconLogs,
  keywords: 'records severity',
  search: logSearch,
  load: () => import('../pages/logs/LogsPage.tsx').then((file) => file.LogsPage),
})

const evaluators = definePage({
  parent: project,
  path: '/evaluators',
  title: 'Evaluators',
  link: true,
  Icon: IconTestPipe,
  load: () =>
    import('../pages/evaluators/EvaluatorsFrame.tsx').then((file) => file.EvaluatorsFrame),
})

const evaluatorCatalogue = definePage({
  parent: evaluators,
  path: '/catalogue',
  title: 'Evaluators',
  link: true,
  keywords: 'judge score quality prompt catalogue',
  search: evaluatorSearch,
  load: () => import('../pages/evaluators/EvaluatorsPage.tsx').then((file) => file.EvaluatorsPage),
})

const collections = definePage({
  parent: evaluators,
  path: '/collections',
  title: 'Collections of evaluators',
  link: 'Collections',
  keywords: 'evaluate set group',
  load: () =>
    import('../pages/evaluators/CollectionsPage.tsx').then((file) => file.CollectionsPage),
})

const evaluationRuns = definePage({
  parent: evaluators,
  path: '/runs',
  title: 'Evaluation runs',
  link: 'Runs',
  keywords: 'evaluate many traces bulk progress jobs',
  load: () => import('../pages/evaluators/RunsPage.tsx').then((file) => file.RunsPage),
})

const automaticEvaluation = definePage({
  parent: evaluators,
  path: '/automatic',
  title: 'Automatic evaluation',
  link: 'Automatic',
  keywords: 'rules online evaluate new traces sampling',
  load: () => import('../pages/evaluators/AutomaticPage.tsx').then((file) => file.AutomaticPage),
})

const costCalculator = definePage({
  parent: project,
  path: '/cost-calculator',
  title: 'Cost calculator',
  link: true,
  Icon: IconCalculator,
  load: () => import('../pages/cost-calculator/CostFrame.tsx').then((file) => file.CostFrame),
})

const costAgent = definePage({
  parent: costCalculator,
  path: '/agent',
  title: 'Agent of the cost calculator',
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
  title: 'Runs of the cost calculator',
  link: 'Runs',
  keywords: 'cost calculator simulate scenarios recommendation models',
  search: compareRunsSearch,
  load: () => import('../pages/cost-calculator/RunsPage.tsx').then((file) => file.RunsPage),
})

const costRun = definePage({
  parent: costCalculator,
  path: '/runs/$runId',
  title: 'Run of the cost calculator',
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
  title: 'Synthetic set-up',
  link: true,
  Icon: IconFileText,
  load: () => import('../pages/synthetic/SyntheticFrame.tsx').then((file) => file.SyntheticFrame),
})

const syntheticSource = definePage({
  parent: synthetic,
  path: '/source',
  title: 'Synthetic set-up',
  link: 'Source',
  keywords: 'document policy manual agent from a document blueprint upload',
  search: sourceSearch,
  load: () => import('../pages/synthetic/SourcePage.tsx').then((file) => file.SourcePage),
})

const syntheticBlueprint = definePage({
  parent: synthetic,
  path: '/blueprint',
  title: 'Blueprint of an agent',
  link: 'Blueprint',
  search: blueprintSearch,
  load: () => import('../pages/synthetic/BlueprintPage.tsx').then((file) => file.BlueprintPage),
})

const syntheticScenarios = definePage({
  parent: synthetic,
  path: '/scenarios',
  title: 'Scenarios of a blueprint',
  link: 'Scenarios',
  search: searchSchema({ open: text }),
  load: () => import('../pages/synthetic/ScenariosPage.tsx').then((file) => file.ScenariosPage),
})

const prices = definePage({
  parent: project,
  path: '/prices',
  title: 'Prices',
  link: true,
  Icon: IconCoin,
  load: () => import('../pages/prices/PricesFrame.tsx').then((file) => file.PricesFrame),
})

const modelPrices = definePage({
  parent: prices,
  path: '/models',
  title: 'Prices of models',
  link: 'Models',
  keywords: 'cost tokens unpriced',
  search: modelsSearch,
  load: () => import('../pages/prices/ModelsPage.tsx').then((file) => file.ModelsPage),
})

const customPrices = definePage({
  parent: prices,
  path: '/custom',
  title: 'Custom prices',
  link: true,
  keywords: 'cost override own alias',
  load: () => import('../pages/prices/CustomPricesPage.tsx').then((file) => file.CustomPricesPage),
})

const repricing = definePage({
  parent: prices,
  path: '/recalculate',
  title: 'Recalculate costs',
  link: true,
  keywords: 'reprice repricing',
  search: timedSearchSchema({}),
  load: () => import('../pages/prices/RepricingPage.tsx').then((file) => file.RepricingPage),
})

const storage = definePage({
  parent: project,
  path: '/storage',
  title: 'Storage',
  link: true,
  Icon: IconDatabase,
  keywords: 'retention keep days delete',
  load: () => import('../pages/storage/StoragePage.tsx').then((file) => file.StoragePage),
})

const send = definePage({
  parent: project,
  path: '/send',
  title: 'Send traces',
  link: true,
  Icon: IconSend,
  keywords: 'instrument snippets quick start',
  search: searchSchema({ with: text }),
  load: () => import('../pages/send/SendPage.tsx').then((file) => file.SendPage),
})

const keys = definePage({
  parent: project,
  path: '/keys',
  title: 'Tracing keys',
  link: true,
  Icon: IconKey,
  keywords: 'api key secret',
  load: () => import('../pages/keys/KeysPage.tsx').then((file) => file.KeysPage),
})

export const projectRoutes = project.addChildren([
  defineHome(project, '/p/$projectId/traces'),
  traces,
  trace,
  compare,
  sessions,
  session,
  users,
  dashboard,
  scores.addChildren([
    defineHome(scores, '/p/$projectId/scores/results'),
    scoreResults,
    agreement,
    disagreements,
  ]),
  metrics,
  logs,
  evaluators.addChildren([
    defineHome(evaluators, '/p/$projectId/evaluators/catalogue'),
    evaluatorCatalogue,
    collections,
    evaluationRuns,
    automaticEvaluation,
  ]),
  costCalculator.addChildren([
    defineHome(costCalculator, '/p/$projectId/cost-calculator/agent'),
    costAgent,
    costImport,
    costEstimate,
    costRuns,
    costRun,
    compareRuns,
  ]),
  synthetic.addChildren([
    defineHome(synthetic, '/p/$projectId/synthetic/source'),
    syntheticSource,
    syntheticBlueprint,
    syntheticScenarios,
  ]),
  prices.addChildren([
    defineHome(prices, '/p/$projectId/prices/models'),
    modelPrices,
    customPrices,
    repricing,
  ]),
  storage,
  send,
  keys,
  defineNotFound(project),
])
