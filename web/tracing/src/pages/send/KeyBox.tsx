import { FormError } from '@assay/ui/FormError.tsx'
import { Snippet } from '@assay/ui/Snippet.tsx'
import { useSingleFlight } from '@assay/ui/use-single-flight.ts'
import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRevealedKey } from '../../api/revealed-keys.ts'
import {
  defaultKeyName,
  formatKey,
  isActiveKey,
  tracingKeysQuery,
  useCreateKey,
} from '../../api/tracing-keys.ts'
import styles from './send.module.css'
import { keyPlaceholder } from './snippet.ts'

interface Props {
  readonly projectId: string
  readonly canCreate: boolean
}

/** The key in the snippets, or how to get one. */
export function KeyBox({ projectId, canCreate }: Props) {
  const key = useRevealedKey(projectId)
  const creating = useCreateKey(projectId)
  const create = useSingleFlight(creating)
  const keys = useQuery(tracingKeysQuery(projectId)).data?.filter(isActiveKey) ?? []
  const [newest] = keys
  if (key !== undefined) {
    const listed = keys.find(({ key_hint }) => key.endsWith(key_hint))
    return (
      <section aria-label="Tracing key">
        <h2 className={styles.step}>Tracing key{listed !== undefined && ` “${listed.name}”`}</h2>
        <Snippet text={key} copyLabel="Copy the tracing key" isWrapped />
        <p className={styles.hint}>
          Copy it now: it is shown once. It can only send traces, metrics and logs to this project.
        </p>
      </section>
    )
  }
  return (
    <section className={styles.key} aria-label="Tracing key">
      <IconKey size={16} stroke={1.75} aria-hidden />
      <div className={styles.keyText}>
        Replace <code>{keyPlaceholder}</code> with{' '}
        {newest === undefined
          ? 'a key'
          : `a key of this project, such as “${newest.name}” (${formatKey(newest)})`}
        {canCreate
          ? ', or create a new one and it is filled in. Keys are shown once.'
          : '. Ask an Owner or Admin of the organization to create one.'}{' '}
        <Link to="/p/$projectId/keys" params={{ projectId }}>
          All keys
        </Link>
        <FormError message={creating.error?.message} />
      </div>
      {canCreate && (
        <Button
          loading={creating.isPending}
          onClick={() => create({ name: defaultKeyName(Date.now()) })}
        >
          Create key
        </Button>
      )}
    </section>
  )
}
