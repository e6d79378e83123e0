import { call } from '@assay/contract/client.ts'
import { limits } from '@assay/contract/limits.ts'
import { setUp } from '@assay/contract/sign-in.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ChangeEvent, useState } from 'react'
import { base } from '../../api/base.ts'
import { rememberKey } from '../../api/revealed-keys.ts'
import { FormPage } from '../../form/FormPage.tsx'
import { fieldErrors } from '../../form/field-errors.ts'
import form from '../../form/form.module.css'

interface Props {
  readonly token: string
}

const empty = { name: '', email: '', password: '', organization_name: '', project_name: '' }
type Field = keyof typeof empty
const fields = Object.keys(empty) as Field[]

/** Makes the first person, organization and project, and goes on to sending a trace. */
export function SetupForm({ token }: Props) {
  const [values, setValues] = useState(empty)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const settingUp = useMutation({
    mutationFn: () => call(base, setUp, { body: { token, ...values } }),
    onSuccess: async ({ project, tracing_key }) => {
      rememberKey(project.id, tracing_key)
      queryClient.clear()
      await navigate({ to: '/p/$projectId/send', params: { projectId: project.id }, replace: true })
    },
  })
  const errors = fieldErrors(settingUp.error, fields)

  function bound(name: Field) {
    return {
      name,
      required: true,
      value: values[name],
      error: errors.fields[name],
      onChange: (event: ChangeEvent<HTMLInputElement>) =>
        setValues({ ...values, [name]: event.currentTarget.value }),
    }
  }

  return (
    <FormPage title="Set up Assay" lead="Your account, and a first project to send traces to.">
      <form
        className={form.fields}
        onSubmit={(event) => {
          event.preventDefault()
          settingUp.mutate()
        }}
      >
        <TextInput label="Your name" autoComplete="name" autoFocus {...bound('name')} />
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          {...bound('email')}
        />
        <PasswordInput
          label="Password"
          description={`At least ${limits.passwordMin.value} characters.`}
          autoComplete="new-password"
          minLength={limits.passwordMin.value}
          maxLength={limits.passwordMax.value}
          {...bound('password')}
        />
        <TextInput
          label="Organization"
          placeholder="Your company or team"
          autoComplete="organization"
          {...bound('organization_name')}
        />
        <TextInput
          label="Project"
          placeholder="The agent or product to trace"
          autoComplete="off"
          {...bound('project_name')}
        />
        <FormError message={errors.rest} />
        <Button type="submit" size="sm" loading={settingUp.isPending}>
          Create account and project
        </Button>
      </form>
    </FormPage>
  )
}
