import { FormError } from '@assay/ui/FormError.tsx'
import { Button, Loader } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import styles from './test-run.module.css'

interface Props<Data> {
  /** With the options of api/sent-on-request.ts. */
  readonly query: UseQueryResult<Data>
  /** Shown meanwhile. */
  readonly waitingText: string
  readonly againLabel: string
  readonly onClose: () => void
  /** The outcome. */
  readonly children: (data: Data) => ReactNode
}

/** The content of a dialog that tests something when it opens, and again on request. */
export function TestRun<Data>({ query, waitingText, againLabel, onClose, children }: Props<Data>) {
  const { data, error, isFetching, refetch } = query
  return (
    <div className={styles.test}>
      {isFetching ? (
        <p className={styles.line} role="status">
          <Loader size="xs" /> {waitingText}
        </p>
      ) : (
        <div className={styles.outcome} role="status">
          <FormError message={error?.message} />
          {data !== undefined && error === null && children(data)}
        </div>
      )}
      <div className={styles.buttons}>
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          {againLabel}
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  )
}
