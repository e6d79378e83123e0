import { FormError } from '@assay/ui/FormError.tsx'
import { Snippet } from '@assay/ui/Snippet.tsx'
import { Button, Modal, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useCreateKey } from '../../api/tracing-keys.ts'
import form from '../../form/form.module.css'
import { LinkButton } from '../../parts/LinkButton.tsx'

interface Props {
  readonly projectId: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Makes a key and shows it the one time. */
export function CreateKeyDialog({ projectId, isOpen, onClose }: Props) {
  return (
    // A click beside the dialog must not throw away a key that is shown only once.
    <Modal opened={isOpen} onClose={onClose} title="New tracing key" closeOnClickOutside={false}>
      <CreateKey projectId={projectId} onDone={onClose} />
    </Modal>
  )
}

interface CreateProps {
  readonly projectId: string
  readonly onDone: () => void
}

function CreateKey({ projectId, onDone }: CreateProps) {
  const [environment, setEnvironment] = useState<'live' | 'test'>('live')
  const creating = useCreateKey(projectId)
  if (creating.data !== undefined) {
    return (
      <div className={form.fields}>
        <p className={form.text}>
          Copy the key now. It is not kept and cannot be shown again; if it is lost, make a new one.
        </p>
        <Snippet text={creating.data.key} copyLabel="Copy the tracing key" isWrapped />
        <div className={form.buttons}>
          <LinkButton to="/p/$projectId/send" params={{ projectId }} variant="default">
            Use it in snippets
          </LinkButton>
          <Button onClick={onDone}>I have copied it</Button>
        </div>
      </div>
    )
  }
  return (
    <form
      className={form.fields}
      onSubmit={(event) => {
        event.preventDefault()
        creating.mutate(environment)
      }}
    >
      <div className={form.tight}>
        <SegmentedControl
          aria-label="Environment"
          value={environment}
          onChange={(value) => setEnvironment(value === 'test' ? 'test' : 'live')}
          data={[
            { value: 'live', label: 'Live' },
            { value: 'test', label: 'Test' },
          ]}
        />
        <p className={form.text}>
          The key begins with <code>tk_{environment}_</code>. Both kinds work alike; the prefix only
          tells people which is which.
        </p>
      </div>
      <FormError message={creating.error?.message} />
      <div className={form.buttons}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={creating.isPending} data-autofocus>
          Create key
        </Button>
      </div>
    </form>
  )
}
