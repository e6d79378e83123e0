import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { type SyntheticEvent, useRef, useState } from 'react'
import { fieldErrors } from './field-errors.ts'
import { bodyErrors, errorsByField, fieldPaths } from './schema-errors.ts'

interface Mutation<Values, Body, Data> {
  readonly mutate: (body: Body, callbacks: Callbacks<Data>, values: Values) => void
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
  /** The endpoint of the mutation: its body must meet the rules of the contract. */
  readonly endpoint: AnyEndpoint
  readonly mutation: Mutation<Values, Body, Data>
  readonly onDone?: ((data: Data, values: Values) => void) | undefined
  /** Clears the form on success, for values that must not stay visible. */
  readonly resetsOnDone?: boolean
  /** The message for a refusal that belongs to no field; undefined where the page shows it elsewhere. */
  readonly formatError?: (error: Error) => string | undefined
}

/** Required where the values are not the body. */
type Conversion<Values, Body> = Values extends Body
  ? { readonly toBody?: (values: Values) => Body }
  : { readonly toBody: (values: Values) => Body }

export interface MutationForm<Values> {
  readonly values: Values
  /** The props of the input for a field, by its path in the values. */
  readonly field: (path: string) => ReturnType<UseFormReturnType<Values>['getInputProps']>
  readonly setValue: UseFormReturnType<Values>['setFieldValue']
  readonly error: string | undefined
  readonly isPending: boolean
  readonly isDirty: boolean
  /** The values are saved. */
  readonly isSaved: boolean
  /** Changes with each refusal, so that the first wrong field can take the focus. */
  readonly refusals: number
  readonly onSubmit: (event?: SyntheticEvent) => void
}

/** The values of a form that sends one mutation: checked by the contract first, then by the service. */
export function useMutationForm<Values extends object, Body, Data>(
  options: Options<Values, Body, Data> & Conversion<Values, Body>,
): MutationForm<Values> {
  const { initialValues, endpoint, mutation, onDone, resetsOnDone = false, formatError } = options
  const form = useForm<Values>({ initialValues })
  const [refusals, setRefusals] = useState(0)
  const [otherError, setOtherError] = useState<string>()
  // A second submit can come before the first has rendered as pending.
  const isSending = useRef(false)

  function refuse(fields: Readonly<Record<string, string>>, rest: string | undefined): void {
    form.setErrors(fields)
    setOtherError(rest)
    setRefusals((before) => before + 1)
  }

  function onSubmit(event?: SyntheticEvent): void {
    event?.preventDefault()
    if (isSending.current) return
    const values = form.getValues()
    const paths = fieldPaths(initialValues)
    const { toBody } = options as { readonly toBody?: (values: Values) => Body }
    const body = toBody === undefined ? (values as unknown as Body) : toBody(values)
    const errors = bodyErrors(endpoint, body)
    if (Object.keys(errors).length > 0) {
      const { fields, rest } = errorsByField(errors, paths, values)
      return refuse(fields, rest)
    }
    isSending.current = true
    setOtherError(undefined)
    const callbacks = {
      onSuccess(data: Data) {
        if (resetsOnDone) form.reset()
        else form.resetDirty()
        onDone?.(data, values)
      },
      onError(error: Error) {
        const { fields, rest } = fieldErrors(error, paths)
        refuse(fields, rest && formatError !== undefined ? formatError(error) : rest)
      },
      onSettled() {
        isSending.current = false
      },
    }
    mutation.mutate(body, callbacks, values)
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
