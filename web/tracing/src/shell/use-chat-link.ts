import { useProducts } from '@assay/account/api/session.ts'
import { productLink } from '@assay/account/session-transfer/transfer-links.ts'
import { useNavigationContext } from './use-navigation-context.ts'

/** The address of the conversations in the project; undefined without a project. */
export function useChatLink(): string | undefined {
  const products = useProducts()
  const context = useNavigationContext()
  if (products === undefined || context?.project === undefined) return undefined
  return productLink(products.chat, `/${context.organization.slug}/${context.project.slug}`)
}
