import { Button, Select } from '@mantine/core'
import type { AuditScope } from '../api/audit-log.ts'
import { TimeRange } from '../filter/TimeRange.tsx'
import styles from './audit.module.css'
import { actionGroups } from './audit-format.ts'
import { type AuditSearch, auditSearch } from './audit-search.ts'

export interface Person {
  readonly user_id: string
  readonly email: string
}

interface Props {
  readonly scope: AuditScope
  readonly search: AuditSearch
  readonly people: readonly Person[]
  readonly onSearch: (next: AuditSearch) => void
}

/** Typing finds an option; the mark at the end clears it. */
const shared = {
  searchable: true,
  clearable: true,
  clearButtonProps: { 'aria-label': 'Clear', tabIndex: 0 },
  nothingFoundMessage: 'No match',
  maxDropdownHeight: 320,
  w: 240,
} as const

/** The filters of the log. */
export function AuditFilterBar({ scope, search, people, onSearch }: Props) {
  const { action, actor } = search
  const isKnown = actor === undefined || people.some(({ user_id }) => user_id === actor)
  return (
    <div className={styles.bar} role="search" aria-label="Filter the audit log">
      <Select
        aria-label="Action"
        placeholder="All actions"
        {...shared}
        value={action ?? null}
        onChange={(next) => onSearch(auditSearch.parse({ ...search, action: next ?? '' }))}
        data={actionGroups(scope).map(({ group, items }) => ({ group, items: [...items] }))}
      />
      <Select
        aria-label="User"
        placeholder="All users"
        {...shared}
        value={actor ?? null}
        onChange={(next) => onSearch(auditSearch.parse({ ...search, actor: next ?? '' }))}
        data={[
          ...(isKnown || actor === undefined ? [] : [{ value: actor, label: 'One user' }]),
          ...people.map(({ user_id, email }) => ({ value: user_id, label: email })),
        ]}
      />
      <TimeRange search={search} onChange={onSearch} />
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" onClick={() => onSearch({})}>
          Clear
        </Button>
      )}
    </div>
  )
}
