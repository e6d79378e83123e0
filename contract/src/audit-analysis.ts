/** The actions of the audit log on what a project does with its traces: evaluators, alerts, reviews and shared views. */
export const analysisActions = {
  'traces.evaluated': {
    label: 'Trace evaluation started',
    target: 'project',
    details: ['collection_id', 'model_config_id', 'max_traces', 'max_cost_usd'],
    countedBy: ['target'],
  },
  'evaluator.created': {
    label: 'Evaluator created',
    target: 'evaluator',
    details: ['name'],
    countedBy: [],
  },
  'evaluator.updated': {
    label: 'Evaluator changed',
    target: 'evaluator',
    details: ['name'],
    countedBy: ['target'],
  },
  'evaluator.removed': {
    label: 'Evaluator deleted',
    target: 'evaluator',
    details: ['name'],
    countedBy: [],
  },
  'evaluator_collection.created': {
    label: 'Evaluator collection created',
    target: 'evaluator_collection',
    details: ['name'],
    countedBy: [],
  },
  'evaluator_collection.updated': {
    label: 'Evaluator collection changed',
    target: 'evaluator_collection',
    details: ['name'],
    countedBy: ['target'],
  },
  'evaluator_collection.removed': {
    label: 'Evaluator collection deleted',
    target: 'evaluator_collection',
    details: ['name'],
    countedBy: [],
  },
  'evaluation_rule.created': {
    label: 'Evaluation rule created',
    target: 'evaluation_rule',
    details: ['project_id', 'name'],
    countedBy: ['project_id'],
  },
  'evaluation_rule.updated': {
    label: 'Evaluation rule changed',
    target: 'evaluation_rule',
    details: ['project_id', 'name', 'changed'],
    countedBy: ['target'],
  },
  'evaluation_rule.removed': {
    label: 'Evaluation rule deleted',
    target: 'evaluation_rule',
    details: ['project_id', 'name'],
    countedBy: ['project_id'],
  },
  'alert_rule.created': {
    label: 'Alert rule created',
    target: 'alert_rule',
    details: ['project_id', 'name', 'webhook_host'],
    countedBy: ['project_id'],
  },
  'alert_rule.updated': {
    label: 'Alert rule changed',
    target: 'alert_rule',
    // Which members changed, for the webhook not what to.
    details: ['project_id', 'name', 'webhook_host', 'changed'],
    countedBy: ['target'],
  },
  'alert_rule.removed': {
    label: 'Alert rule deleted',
    target: 'alert_rule',
    details: ['project_id', 'name'],
    countedBy: ['project_id'],
  },
  'alert_rule.tested': {
    label: 'Alert rule tested',
    target: 'alert_rule',
    details: ['project_id', 'name'],
    countedBy: ['target'],
  },
  'review_queue.created': {
    label: 'Review queue created',
    target: 'review_queue',
    details: ['project_id', 'name', 'traces'],
    countedBy: ['project_id'],
  },
  'review_queue.removed': {
    label: 'Review queue deleted',
    target: 'review_queue',
    details: ['project_id', 'name'],
    countedBy: ['project_id'],
  },
  'shared_view.created': {
    label: 'View or chart shared',
    target: 'shared_view',
    details: ['project_id', 'page', 'name'],
    countedBy: ['project_id'],
  },
  'shared_view.updated': {
    label: 'Shared view or chart changed',
    target: 'shared_view',
    details: ['project_id', 'page', 'name'],
    countedBy: ['target'],
  },
  'shared_view.removed': {
    label: 'Shared view or chart deleted',
    target: 'shared_view',
    details: ['project_id', 'page', 'name'],
    countedBy: ['project_id'],
  },
} as const
