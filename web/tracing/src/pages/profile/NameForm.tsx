import { sessionQuery } from '@assay/account/api/session.ts'
import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { updateProfile } from '@assay/contract/profile.ts'
import type { User } from '@assay/contract/sign-in.ts'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRename } from '../../api/profile.ts'

/** Changes the display name. */
export function NameForm() {
  const { data: session } = useQuery(sessionQuery)
  return session === undefined ? null : <Fields user={session.user} />
}

function Fields({ user }: { readonly user: User }) {
  const form = useMutationForm({
    endpoint: updateProfile,
    initialValues: { name: user.name },
    mutation: useRename(),
  })
  return (
    <Form form={form} submitLabel="Save" isSettings>
      <TextInput label="Name" required autoComplete="name" {...form.field('name')} />
      <TextInput
        label="E-mail address"
        description="It identifies your account and cannot be changed."
        readOnly
        variant="filled"
        value={user.email}
      />
    </Form>
  )
}
