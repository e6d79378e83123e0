import { FormError } from '@assay/ui/FormError.tsx'
import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './encryption.module.css'
import { useKeyChange } from './use-encryption.ts'

interface Props {
  readonly finish: () => Promise<void>
  /** What is missing. */
  readonly children: ReactNode
}

/** A change of the keys that was interrupted, and a button that continues it. */
export function UnfinishedChange({ finish, children }: Props) {
  const change = useKeyChange(finish)
  return (
    <div className={styles.form}>
      <Alert color="yellow" p="xs" icon={<IconAlertTriangle size={16} />}>
        {children}
      </Alert>
      <div className={styles.line}>
        <Button loading={change.isPending} onClick={() => change.mutate(undefined)}>
          Complete it
        </Button>
      </div>
      <FormError message={change.error?.message} />
    </div>
  )
}
