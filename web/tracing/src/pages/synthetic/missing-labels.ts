/** The part of a blueprint that a path of `missing` refers to, in words. */
export function labelMissing(path: string): string {
  const entity = /^system_of_record\.entities\.(.+)\.rows$/.exec(path)?.[1]
  if (entity !== undefined) return `all records of ${entity}`
  return labels[path] ?? path
}

const labels: Readonly<Record<string, string>> = {
  'agent.goals': 'the goals of the agent',
  'agent.tools': 'tools of the agent',
  'agent.policies': 'policies',
  'system_of_record.entities': 'tables of records',
  'system_of_record.relations': 'relations between records',
  tasks: 'tasks',
}
