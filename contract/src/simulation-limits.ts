/*
 * The limits of scenarios and of the runs that keep them. Part of `limits`.
 */

export const simulationLimits = {
  scenarioNameLength: { value: 200, unit: 'characters', of: 'name of a scenario (at least 1)' },
  scenarioGoalLength: { value: 1000, unit: 'characters', of: 'goal of a conversation plan' },
  scenarioFacts: {
    value: 10,
    unit: 'facts',
    of: 'each of known and unknown of a conversation plan',
  },
  scenarioFactLength: {
    value: 150,
    unit: 'characters',
    of: 'each fact, and satisfied_when, of a conversation plan',
  },
  scenarioTurns: { value: 12, unit: 'turns', of: 'turns of a scenario (at least 1)' },
  scenarioTurnLength: {
    value: 2000,
    unit: 'characters',
    of: 'content of a turn of a scenario (at least 1)',
  },
  scenarioTools: {
    value: 2,
    unit: 'tools',
    of: 'tools that a scenario requires',
  },
  costRunsPerProject: {
    value: 500,
    unit: 'runs',
    of: 'stored runs of the cost calculator in a project',
  },
  scenariosPerProject: {
    value: 50_000,
    unit: 'scenarios',
    of: 'scenarios of all stored runs of a project',
  },
  modelsPerRun: {
    value: 8,
    unit: 'models',
    of: 'models that a run has results of (at least 1 for an execution)',
  },
  resultsPerRun: {
    value: 8000,
    unit: 'results',
    of: 'results of a run: one for each scenario and model',
  },
  simulatedTurns: { value: 12, unit: 'turns', of: 'turns of a simulated conversation' },
  simulatedCallsPerTurn: {
    value: 12,
    unit: 'calls',
    of: 'calls of the agent in one turn of a simulated conversation',
  },
  simulatedTokens: {
    value: 200_000,
    unit: 'tokens',
    of: 'input and output of all calls of the agent in a simulated conversation; no call begins beyond it',
  },
  simulatedCharacters: {
    value: 2_000_000,
    unit: 'characters',
    of: 'the same, whatever tokens are reported; no call begins beyond it',
  },
  toolCallsAtOnce: {
    value: 50,
    unit: 'calls',
    of: 'calls of tools that the agent requests at once; with more, the conversation ends',
  },
  toolResultLength: {
    value: 20_000,
    unit: 'characters',
    of: 'the result of a simulated tool (longer text is truncated)',
  },
  recordedAnswerTraces: {
    value: 25,
    unit: 'traces',
    of: 'recorded runs that simulated tools take answers from, the newest with tool calls',
  },
  executionSeconds: {
    value: 780,
    unit: 'seconds',
    of: 'one execution of a run; then it stops as partial',
  },
  executionConcurrency: {
    value: 16,
    unit: 'conversations',
    of: 'concurrency of an execution (at least 1)',
  },
  executionCost: { value: 1_000_000, unit: 'dollars', of: 'max_cost_usd of an execution' },
  executions: { value: 20, unit: 'executions', of: 'executions of runs at once' },
  executionsOfOrganization: { value: 5, unit: 'executions', of: 'the same, of one organization' },
  executionsOfUser: { value: 3, unit: 'executions', of: 'the same, of one user' },
  scenarioGenerations: {
    value: 32,
    unit: 'requests',
    of: 'requests that write scenarios at once',
  },
  scenarioGenerationsOfOrganization: {
    value: 8,
    unit: 'requests',
    of: 'the same, of one organization',
  },
  scenarioGenerationsOfUser: { value: 3, unit: 'requests', of: 'the same, of one user' },
  generationSeconds: {
    value: 780,
    unit: 'seconds',
    of: 'calls of a model for the scenarios of one request; templates fill the rest',
  },
  costRunNotices: { value: 20, unit: 'notices', of: 'notices of a run' },
} as const
