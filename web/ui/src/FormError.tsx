import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'

interface Props {
  readonly message: string | undefined
}

/** The error of a form or an action, announced to assistive technology at once. */
export function FormError({ message }: Props) {
  return (
    <div role="alert" style={message === undefined ? { position: 'absolute' } : undefined}>
      {message !== undefined && (
        <Alert color="red" p="xs" icon={<IconAlertTriangle size={16} />}>
          {message}
        </Alert>
      )}
    </div>
  )
}
