import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import styles from './form.module.css'

interface Props {
  readonly message: string | undefined
}

/** Why the form was refused, told to assistive technology at once. */
export function FormError({ message }: Props) {
  return (
    <div role="alert" className={styles.error}>
      {message !== undefined && (
        <Alert color="red" p="xs" icon={<IconAlertTriangle size={16} />}>
          {message}
        </Alert>
      )}
    </div>
  )
}
