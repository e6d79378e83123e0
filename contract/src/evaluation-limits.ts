/*
 * The limits of evaluators, collections and evaluations. Part of `limits`.
 */

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
  evaluatorsPerOrganization: {
    value: 500,
    unit: 'evaluators',
    of: 'evaluators of an organization, without the built-in ones',
  },
  listedEvaluators: { value: 600, unit: 'evaluators', of: 'GET …/evaluators' },
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
    of: 'the judges of one evaluation; those without a verdict then have a result with an error',
  },
  explainedNotes: {
    value: 100,
    unit: 'notes',
    of: 'criteria, issues and evidence of a model in POST …/evaluations/explain, each',
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
  evaluatedBytes: {
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    of: 'a trace that can be evaluated: its spans as JSON',
  },
} as const
