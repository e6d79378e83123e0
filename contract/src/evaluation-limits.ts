/*
 * The limits of evaluators, collections and evaluations. Part of `limits`.
 */

const mib = 1024 * 1024

export const evaluationLimits = {
  evaluatorDescriptionLength: {
    value: 2000,
    unit: 'characters',
    of: 'description of an evaluator or a collection',
  },
  evaluatorTags: { value: 20, unit: 'tags', of: 'tags of an evaluator' },
  evaluatorTagLength: {
    value: 64,
    unit: 'characters',
    of: 'each tag of an evaluator (at least 1)',
  },
  promptTemplateLength: {
    value: 24_000,
    unit: 'characters',
    of: 'prompt_template of an evaluator (at least 1)',
  },
  evaluatorReads: {
    value: 20,
    unit: 'parts',
    of: 'parts of a trace that an evaluator is listed to read',
  },
  evaluatorMeasurements: {
    value: 10,
    unit: 'measurements',
    of: 'accuracy of an evaluator',
  },
  evaluationIssues: { value: 20, unit: 'issues', of: 'issues of a result, the worst' },
  evaluationQuotes: {
    value: 20,
    unit: 'quotes',
    of: 'evidence of a result, and of each of its criteria',
  },
  evaluationCriteria: { value: 100, unit: 'criteria', of: 'criteria of a result' },
  evaluatorsPerOrganization: {
    value: 200,
    unit: 'evaluators',
    of: 'evaluators of an organization, without the built-in ones',
  },
  listedEvaluators: { value: 300, unit: 'evaluators', of: 'GET …/evaluators' },
  collectionsPerOrganization: {
    value: 100,
    unit: 'collections',
    of: 'evaluator collections of an organization, without the built-in ones',
  },
  listedCollections: { value: 120, unit: 'collections', of: 'GET …/evaluator-collections' },
  evaluatorsPerCollection: {
    value: 50,
    unit: 'evaluators',
    of: 'evaluators of a collection (at least 1)',
  },
  evaluationRuns: { value: 5, unit: 'runs', of: 'GET …/evaluate, the most recent' },
  evaluationSeconds: {
    value: 300,
    unit: 'seconds',
    of: 'one evaluation with its wait for a turn; evaluators without a verdict then have an error of kind timeout',
  },
  evaluatorSeconds: {
    value: 20,
    unit: 'seconds',
    of: 'the evaluators of one evaluation without their model calls; beyond it, or out of memory, each runs alone with as much time, until two have failed again',
  },
  unpricedJudgeTokens: {
    value: 200_000,
    unit: 'tokens',
    of: 'the judges of one evaluation with a model without a price; ASSAY_JUDGE_BUDGET_USD limits those with a price',
  },
  comparedTraces: {
    value: 10,
    unit: 'traces',
    of: 'other traces with one of the first 5 `eval:pair` tags of a trace that its evaluation reads, the newest',
  },
  bulkEvaluationTraces: {
    value: 1000,
    unit: 'traces',
    of: 'max_traces of POST …/evaluations by default',
  },
  bulkEvaluationTracesMax: {
    value: 100_000,
    unit: 'traces',
    of: 'max_traces of POST …/evaluations (at least 1)',
  },
  bulkEvaluationUsd: { value: 1, unit: 'USD', of: 'max_cost_usd of POST …/evaluations by default' },
  bulkEvaluationUsdMax: {
    value: 1000,
    unit: 'USD',
    of: 'max_cost_usd of POST …/evaluations (more than 0)',
  },
  bulkEvaluationCalls: {
    value: 3,
    unit: 'calls',
    of: 'calls of models at once by an evaluation of many traces',
  },
  bulkEvaluationModelFailures: {
    value: 20,
    unit: 'traces',
    of: 'traces in a row for which the model fails or does not answer; an evaluation of many traces then stops',
  },
  evaluationRulesPerProject: {
    value: 20,
    unit: 'rules',
    of: 'evaluation rules of a project',
  },
  evaluationRuleUsd: {
    value: 1,
    unit: 'USD',
    of: 'max_cost_usd_per_day of an evaluation rule by default',
  },
  evaluationRuleUsdMax: {
    value: 1000,
    unit: 'USD',
    of: 'max_cost_usd_per_day of an evaluation rule (more than 0)',
  },
  evaluationRuleBacklog: {
    value: 10_000,
    unit: 'traces',
    of: 'complete traces that wait for an evaluation rule; beyond it, the oldest are skipped',
  },
  reviewQueuesPerProject: { value: 50, unit: 'review queues', of: 'review queues of a project' },
  reviewQueueTraces: {
    value: 100,
    unit: 'traces',
    of: 'max_traces of POST …/review-queues by default',
  },
  reviewQueueTracesMax: {
    value: 1000,
    unit: 'traces',
    of: 'max_traces of POST …/review-queues (at least 1)',
  },
  reviewInstructionsLength: {
    value: 2000,
    unit: 'characters',
    of: 'the instructions of a review queue',
  },
  reviewFiltersLength: {
    value: 8192,
    unit: 'characters',
    of: 'the filters of a review queue, as JSON',
  },
  reviewHoldMinutes: {
    value: 15,
    unit: 'minutes',
    of: 'time for which an open trace of a review queue is held for its reviewer',
  },
  explainedNotes: {
    value: 100,
    unit: 'notes',
    of: 'criteria, issues and evidence of a model in POST …/evaluations/explain, each',
  },
  explainedNoteLength: {
    value: 20_000,
    unit: 'characters',
    of: 'each of these notes: a text, or anything else as JSON',
  },
  explainedTextLength: {
    value: 10_000,
    unit: 'characters',
    of: 'reasoning of a model in POST …/evaluations/explain',
  },
  scoredTracesScanned: {
    value: 20_000,
    unit: 'scores',
    of: 'examined for a page of GET …/scored-traces with filters',
  },
  scoresCounted: { value: 200_000, unit: 'scores', of: 'counted by GET …/score-stats, the newest' },
  scoreStatsGroups: {
    value: 100,
    unit: 'groups',
    of: 'names and evaluators listed by GET …/score-stats, those with the most scores',
  },
  comparedScores: {
    value: 20_000,
    unit: 'scores of people',
    of: 'counted by GET …/score-agreement, the newest, and examined for a page of GET …/score-disagreements',
  },
  agreementEvaluators: {
    value: 100,
    unit: 'evaluators',
    of: 'GET …/score-agreement, those with the most compared traces',
  },
  disagreementsPage: { value: 20, unit: 'traces', of: 'a page of GET …/score-disagreements' },
  disagreementScores: {
    value: 10,
    unit: 'scores',
    of: 'people of a trace in GET …/score-disagreements, the newest',
  },
  exportedScores: {
    value: 1000,
    unit: 'scores',
    of: 'read for the rewards of a trace in GET …/export, the newest',
  },
  judgeInputs: {
    value: 20,
    unit: 'parts',
    of: 'parts of a trace in the response of POST …/evaluate/try',
  },
  judgeInputPreview: {
    value: 2000,
    unit: 'characters',
    of: 'each of them; longer ones have a note in place of the middle',
  },
  evaluatedBytes: {
    value: 64 * mib,
    unit: 'bytes',
    of: 'a trace that can be evaluated: its spans as JSON',
  },
  evaluatedBytesAtOnce: {
    value: 512 * mib,
    unit: 'bytes',
    of: 'traces that are evaluated or wait for it at once',
  },
  evaluatedBytesOfOrganization: {
    value: 256 * mib,
    unit: 'bytes',
    of: 'the same, of one organization',
  },
  evaluatedBytesOfUser: { value: 128 * mib, unit: 'bytes', of: 'the same, of one user' },
} as const
