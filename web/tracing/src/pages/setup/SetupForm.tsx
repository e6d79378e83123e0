import { base } from '@assay/account/api/base.ts'
import { Form } from '@assay/account/form/Form.tsx'
import { FormPage } from '@assay/account/form/FormPage.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { call } from '@assay/contract/client.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import { setUp } from '@assay/contract/sign-in.ts'
import { PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { rememberKey } from '../../api/revealed-keys.ts'

const empty = { name: '', email: '', password: '', organization_name: '', project_name: '' }

/** Creates the first account, organization and project, then opens the page to send a trace. */
export function SetupForm({ token }: { readonly token: string }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const mutation = useMutation({
    mutationFn: (body: Args<typeof setUp>['body']) => call(base, setUp, { body }),
    onSuccess: async ({ project, tracing_key }) => {
      rememberKey(project.id, tracing_key)
      queryClient.clear()
      await navigate({ to: '/p/$projectId/send', params: { projectId: project.id }, replace: true })
    },
  })
  const form = useMutationForm({
    endpoint: setUp,
    initialValues: empty,
    toBody: (values: typeof empty) => ({ token, ...values }),
    mutation,
  })
  const { field } = form
  return (
    <FormPage title="Set up Assay" lead="Your account, and a first project to send traces to.">
      <Form form={form} submitLabel="Create account and project">
        <TextInput label="Your name" required autoComplete="name" autoFocus {...field('name')} />
        <TextInput
          label="E-mail address"
          required
          type="email"
          autoComplete="username"
          {...field('email')}
        />
        <PasswordInput
          label="Password"
          required
          description={`At least ${limits.passwordMin.value} characters.`}
          autoComplete="new-password"
          {...field('password')}
        />
        <TextInput
          label="Organization"
          required
          placeholder="Your company or team"
          autoComplete="organization"
          {...field('organization_name')}
        />
        <TextInput
          label="Project"
          required
          placeholder="The agent or product to trace"
          autoComplete="off"
          {...field('project_name')}
        />
      </Form>
    </FormPage>
  )
}
