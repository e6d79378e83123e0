/*
 * The limits of the cost calculator and of agent configurations. Part of `limits`.
 */

export const costCalculatorLimits = {
  systemPromptLength: {
    value: 20_000,
    unit: 'characters',
    of: 'system_prompt of an agent configuration (at least 1)',
  },
  agentToneLength: { value: 2000, unit: 'characters', of: 'tone of an agent configuration' },
  agentMemoryLength: { value: 4000, unit: 'characters', of: 'memory of an agent configuration' },
  agentTools: { value: 50, unit: 'tools', of: 'tools of an agent configuration' },
  agentToolNameLength: {
    value: 200,
    unit: 'characters',
    of: 'name of a tool of an agent configuration (at least 1)',
  },
  agentToolDescriptionLength: {
    value: 512,
    unit: 'characters',
    of: 'description of a tool of an agent configuration',
  },
  agentToolContentLength: {
    value: 20_000,
    unit: 'characters',
    of: 'content of a tool of an agent configuration',
  },
  agentBodyBytes: {
    value: 4 * 1024 * 1024,
    unit: 'bytes',
    of: 'the JSON body of a request with an agent configuration',
  },
  estimatedModels: {
    value: 20,
    unit: 'models',
    of: 'models or model_config_ids of POST …/cost-calculator/estimate (at least 1)',
  },
  scenariosPerRun: {
    value: 1000,
    unit: 'scenarios',
    of: 'scenario_count of a cost estimate (at least 1)',
  },
  importedRuns: { value: 1_000_000, unit: 'runs', of: 'runs of volumes (at least 1)' },
  runsPerMonth: { value: 1_000_000_000, unit: 'runs', of: 'runs_per_month of volumes' },
  callsPerRun: {
    value: 1000,
    unit: 'calls or turns',
    of: 'turns, llm_calls and tool_calls of volumes, for each run',
  },
  tokensPerRun: {
    value: 1_000_000_000,
    unit: 'tokens',
    of: 'tokens_in and tokens_out of volumes, for each run',
  },
  estimateAssumptions: { value: 30, unit: 'assumptions', of: 'assumptions of an estimated model' },
  estimateDrivers: { value: 3, unit: 'drivers', of: 'drivers of an estimated model, the largest' },
  countedAgents: {
    value: 64,
    unit: 'agents',
    of: 'agent configurations whose tokens are counted or wait for it at once',
  },
  countedAgentsOfOrganization: { value: 16, unit: 'agents', of: 'the same, of one organization' },
  countedAgentsOfUser: { value: 8, unit: 'agents', of: 'the same, of one user' },
  agentCountSeconds: {
    value: 10,
    unit: 'seconds',
    of: 'counting the tokens of an agent configuration',
  },
  scannedTraceRuns: {
    value: 1_000_000,
    unit: 'traces',
    of: 'newest traces that are examined for GET …/cost-calculator/trace-runs, about',
  },
  listedTraceRuns: { value: 100, unit: 'traces', of: 'GET …/cost-calculator/trace-runs' },
  extractedRuns: {
    value: 25,
    unit: 'traces',
    of: 'trace_ids of POST …/cost-calculator/trace-runs/extract (at least 1)',
  },
  extractedTraceIdLength: {
    value: 64,
    unit: 'characters',
    of: 'each of trace_ids of POST …/cost-calculator/trace-runs/extract (at least 1)',
  },
  extractedRunBytes: {
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    of: 'the spans of a trace, as JSON, from which an agent is extracted, its first ones',
  },
  extractedBytes: { value: 64 * 1024 * 1024, unit: 'bytes', of: 'the same, of all traces' },
  extractedRunSeconds: {
    value: 10,
    unit: 'seconds',
    of: 'extracting prompts, tools and messages from the spans of one trace',
  },
  extractionSeconds: {
    value: 30,
    unit: 'seconds',
    of: 'one extraction with its waits for a turn; traces whose turn comes later are not read',
  },
  waitingExtractions: {
    value: 200,
    unit: 'extractions',
    of: 'extractions that wait for a turn at once',
  },
  extractedPrompts: { value: 20, unit: 'prompts', of: 'system prompts of an extraction' },
  extractedTools: { value: 100, unit: 'tools', of: 'tools of an extraction and of its runs' },
  extractedSchemaLength: {
    value: 20_000,
    unit: 'characters',
    of: 'the JSON Schema of an extracted tool; a longer one is left out',
  },
  toneSigns: { value: 7, unit: 'signs', of: 'signs of an extracted tone' },
  counterFactors: { value: 20, unit: 'models', of: 'counter factors of an extraction or volumes' },
  counterFactorCalls: {
    value: 20,
    unit: 'model calls',
    of: 'the fewest from which a counter factor or a share of cached input is used',
  },
  modelVolumesRuns: {
    value: 3,
    unit: 'runs',
    of: 'the fewest of a model from which its estimate uses them in place of the runs of all models',
  },
  extractionNotes: { value: 50, unit: 'notes', of: 'notes of an extraction' },
} as const
