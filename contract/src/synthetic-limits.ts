/*
 * The limits of the synthetic set-up: of sources, of the documents that they are read from, and of blueprints. Part of
 * `limits`.
 */

const mib = 1024 * 1024

export const syntheticLimits = {
  sourceBytes: {
    value: 4 * mib,
    unit: 'bytes',
    of: 'a source: its text in UTF-8, its decoded file or the decoded response of its URL',
  },
  sourceBodyBytes: {
    value: 8 * mib,
    unit: 'bytes',
    of: 'the JSON body of POST …/synthetic/extract and …/synthesize',
  },
  sourceTextLength: {
    value: 200_000,
    unit: 'characters',
    of: 'text that is read from a source (further text is left out)',
  },
  sourceReadable: { value: 40, unit: 'letters and digits', of: 'a source, at least' },
  sourceUrlLength: { value: 2048, unit: 'characters', of: 'url of a source' },
  sourceNameLength: { value: 255, unit: 'characters', of: 'name of a file, label and title' },
  sourceNotes: { value: 50, unit: 'notes', of: 'notes on a source or a blueprint' },
  sourceNoteLength: { value: 500, unit: 'characters', of: 'each note' },
  documentSeconds: { value: 10, unit: 'seconds', of: 'reading a document' },
  documents: { value: 32, unit: 'documents', of: 'documents that are fetched or read at once' },
  documentsOfOrganization: { value: 8, unit: 'documents', of: 'the same, of one organization' },
  documentsOfUser: { value: 4, unit: 'documents', of: 'the same, of one user' },
  fetchSeconds: { value: 10, unit: 'seconds', of: 'fetching a URL, with its redirects' },
  fetchRedirects: { value: 5, unit: 'redirects', of: 'a URL' },
  blueprintDomainLength: {
    value: 64,
    unit: 'characters',
    of: 'domain of a blueprint (at least 1)',
  },
  synthesisSeconds: { value: 150, unit: 'seconds', of: 'the model call that writes a blueprint' },
  syntheses: {
    value: 32,
    unit: 'requests',
    of: 'requests that turn sources into blueprints at once',
  },
  synthesesOfOrganization: { value: 8, unit: 'requests', of: 'the same, of one organization' },
  synthesesOfUser: { value: 4, unit: 'requests', of: 'the same, of one user' },
  blueprintGoals: { value: 20, unit: 'goals', of: 'goals of a blueprint' },
  blueprintPolicies: { value: 60, unit: 'policies', of: 'policies of a blueprint' },
  blueprintEntities: { value: 12, unit: 'entities', of: 'entities of a system of record' },
  blueprintFields: { value: 24, unit: 'fields', of: 'fields of an entity (at least 1)' },
  blueprintRows: { value: 40, unit: 'rows', of: 'rows of an entity' },
  blueprintRelations: { value: 40, unit: 'relations', of: 'relations of a system of record' },
  blueprintTasks: { value: 30, unit: 'tasks', of: 'tasks of a blueprint' },
  blueprintFacts: { value: 10, unit: 'facts', of: 'each of known and unknown of a task' },
  blueprintCalls: { value: 10, unit: 'calls', of: 'expected_calls of a task' },
  blueprintChecks: { value: 20, unit: 'checks', of: 'checks of a blueprint' },
  blueprintMissing: { value: 30, unit: 'names', of: 'missing of a blueprint' },
  blueprintNameLength: {
    value: 64,
    unit: 'characters',
    of: 'names of entities and fields, and ids of policies and tasks (at least 1)',
  },
  blueprintTextLength: { value: 1000, unit: 'characters', of: 'each other text of a blueprint' },
  draftedScenarios: {
    value: 50,
    unit: 'scenarios',
    of: 'count of POST …/synthetic/scenarios (at least 1; default 5)',
  },
} as const
