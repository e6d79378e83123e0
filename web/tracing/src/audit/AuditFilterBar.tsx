import { Button, NativeSelect } from '@mantine/core'
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

/** The filters of the log. */
export function AuditFilterBar({ scope, search, people, onSearch }: Props) {
  const { action, actor } = search
  const isKnown = actor === undefined || people.some(({ user_id }) => user_id === actor)
  return (
    <div className={styles.bar} role="search" aria-label="Filter the audit log">
      <NativeSelect
        size="xs"
        aria-label="Action"
        value={action ?? ''}
        onChange={(event) => {
          onSearch(auditSearch.parse({ ...search, action: event.currentTarget.value }))
        }}
        data={[
          { value: '', label: 'All actions' },
          ...actionGroups(scope).map(({ group, items }) => ({ group, items: [...items] })),
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label="User"
        value={actor ?? ''}
        onChange={(event) => {
          onSearch(auditSearch.parse({ ...search, actor: event.currentTarget.value }))
        }}
        data={[
          { value: '', label: 'All users' },
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
