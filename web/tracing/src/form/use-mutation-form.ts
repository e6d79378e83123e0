import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { type FormEvent, useRef, useState } from 'react'
import { fieldErrors } from './field-errors.ts'
import { bodyErrors, fieldPaths } from './schema-errors.ts'

interface Mutation<Body, Data> {
  readonly mutate: (body: Body, callbacks: Callbacks<Data>) => void
  readonly isPending: boolean
  readonly isSuccess: boolean
  readonly error: Error | null
}

interface Callbacks<Data> {
  readonly onSuccess: (data: Data) => void
  readonly onError: (error: Error) => void
  readonly onSettled: () => void
}

interface Options<Values, Body, Data> {
  readonly initialValues: Values
  /** The endpoint that the mutation calls: the values have to meet the rules of its body. */
  readonly endpoint: AnyEndpoint
  readonly mutation: Mutation<Body, Data>
  /** The body out of the values where they differ, or what is wrong with them, by path. */
  readonly toBody: (values: Values) => { readonly body: Body } | { readonly errors: FieldErrors }
  readonly onDone?: ((data: Data, values: Values) => void) | undefined
  /** Empties the form when it is done, for what is not to be seen again. */
  readonly resetsOnDone?: boolean
  /** The message for a refusal that belongs to no field; undefined where the page shows it elsewhere. */
  readonly formatError?: (error: Error) => string | undefined
}

type FieldErrors = Readonly<Record<string, string | undefined>>

export interface MutationForm<Values> {
  readonly values: Values
  /** The props of the input for a field, by its path in the values. */
  readonly field: (path: string) => ReturnType<UseFormReturnType<Values>['getInputProps']>
  readonly setValue: UseFormReturnType<Values>['setFieldValue']
  readonly error: string | undefined
  readonly isPending: boolean
  readonly isDirty: boolean
  /** What the form shows is saved. */
  readonly isSaved: boolean
  /** Changes with each refusal, so that the first wrong field can take the focus. */
  readonly refusals: number
  readonly onSubmit: (event?: FormEvent) => void
}

/** The values of a form that sends one mutation: checked by the contract first, then by the service. */
export function useMutationForm<Body extends object, Data>(
  options: Omit<Options<Body, Body, Data>, 'toBody'>,
): MutationForm<Body>
export function useMutationForm<Values extends object, Body, Data>(
  options: Options<Values, Body, Data>,
): MutationForm<Values>
export function useMutationForm<Values extends object, Body, Data>(
  options: Partial<Options<Values, Body, Data>> & Omit<Options<Values, Body, Data>, 'toBody'>,
): MutationForm<Values> {
  const { initialValues, endpoint, mutation, onDone, formatError, resetsOnDone = false } = options
  // Without a conversion, the values are the body: the first overload.
  const { toBody = (values: Values) => ({ body: values as unknown as Body }) } = options
  const form = useForm<Values>({ initialValues })
  const [refusals, setRefusals] = useState(0)
  const [otherError, setOtherError] = useState<string>()
  // A second submit can come before the first has rendered as pending.
  const isSending = useRef(false)

  function refuse(fields: FieldErrors, rest: string | undefined): void {
    form.setErrors(fields)
    setOtherError(rest)
    setRefusals((before) => before + 1)
  }

  function onSubmit(event?: FormEvent): void {
    event?.preventDefault()
    if (isSending.current) return
    const values = form.getValues()
    const paths = fieldPaths(initialValues)
    const parsed = toBody(values)
    const errors = 'errors' in parsed ? parsed.errors : bodyErrors(endpoint, parsed.body)
    const elsewhere = Object.entries(errors).find(([path]) => !paths.includes(path))
    if ('errors' in parsed || Object.keys(errors).length > 0) {
      return refuse(errors, elsewhere && `${elsewhere[0]}: ${elsewhere[1]}`)
    }
    isSending.current = true
    setOtherError(undefined)
    mutation.mutate(parsed.body, {
      onSuccess(data) {
        if (resetsOnDone) form.reset()
        else form.resetDirty()
        onDone?.(data, values)
      },
      onError(error) {
        const { fields, rest } = fieldErrors(error, paths)
        refuse(fields, rest && formatError !== undefined ? formatError(error) : rest)
      },
      onSettled() {
        isSending.current = false
      },
    })
  }

  const isDirty = form.isDirty()
  return {
    values: form.values,
    field: form.getInputProps,
    setValue: form.setFieldValue,
    error: otherError,
    isPending: mutation.isPending,
    isDirty,
    isSaved: mutation.isSuccess && !isDirty,
    refusals,
    onSubmit,
  }
}
