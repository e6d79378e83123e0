import type { WellKnownKind } from '../domain/kinds.ts'

/*
 * The kinds of the values of `gen_ai.operation.name`: those of the convention, then those that
 * instrumentations made up.
 */

export const kindsByOperation: ReadonlyMap<string, WellKnownKind> = new Map([
  ['chat', 'llm'],
  ['generate_content', 'llm'],
  ['text_completion', 'llm'],
  ['embeddings', 'embedding'],
  ['retrieval', 'retriever'],
  ['execute_tool', 'tool'],
  ['invoke_agent', 'agent'],
  ['create_agent', 'agent'],
  ['invoke_workflow', 'chain'],
  ['plan', 'chain'],
  ['create_memory', 'memory'],
  ['update_memory', 'memory'],
  ['upsert_memory', 'memory'],
  ['search_memory', 'memory'],
  ['delete_memory', 'memory'],
  ['create_memory_store', 'memory'],
  ['delete_memory_store', 'memory'],
  // Spring AI.
  ['embedding', 'embedding'],
  // Before 1.37.
  ['completion', 'llm'],
  ['generate', 'llm'],
  // The AI SDK.
  ['agent_step', 'chain'],
  ['rerank', 'reranker'],
  // Strands.
  ['execute_event_loop_cycle', 'chain'],
  ['memory.search', 'memory'],
  ['memory.add', 'memory'],
  ['memory.inject', 'memory'],
  ['memory.extract', 'memory'],
  // OpenLLMetry.
  ['llm_request', 'llm'],
  ['tool', 'tool'],
  ['execute_task', 'chain'],
  ['vector_db_retrieve', 'retriever'],
  // LangSmith.
  ['chain', 'chain'],
  ['prompt', 'chain'],
  // Gemini CLI.
  ['llm_call', 'llm'],
  ['tool_call', 'tool'],
  ['agent_call', 'agent'],
  ['schedule_tool_calls', 'chain'],
  ['user_prompt', 'chain'],
  ['system_prompt', 'chain'],
])
