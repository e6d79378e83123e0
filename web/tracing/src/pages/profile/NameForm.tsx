import type { User } from '@assay/contract/sign-in.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRename } from '../../api/profile.ts'
import { sessionQuery } from '../../api/session.ts'
import { fieldErrors } from '../../form/field-errors.ts'
import styles from '../../page/page.module.css'
import { SavedMark } from '../../page/SavedMark.tsx'

/** Changes what others see one as. */
export function NameForm() {
  const { data: session } = useQuery(sessionQuery)
  return session === undefined ? null : <Fields user={session.user} />
}

function Fields({ user }: { readonly user: User }) {
  const [name, setName] = useState(user.name)
  const renaming = useRename()
  const errors = fieldErrors(renaming.error, ['name'])
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        renaming.mutate(name, { onSuccess: (saved) => setName(saved.user.name) })
      }}
    >
      <TextInput
        label="Name"
        required
        autoComplete="name"
        maxLength={128}
        value={name}
        error={errors.fields['name']}
        onChange={(event) => {
          setName(event.currentTarget.value)
          renaming.reset()
        }}
      />
      <TextInput
        label="E-mail address"
        description="It is what you are known by, and cannot be changed."
        readOnly
        variant="filled"
        value={user.email}
      />
      <FormError message={errors.rest} />
      <div className={styles.line}>
        <Button type="submit" loading={renaming.isPending} disabled={name.trim() === user.name}>
          Save
        </Button>
        <SavedMark isShown={renaming.isSuccess} />
      </div>
    </form>
  )
}
