import { lookupOf } from '@spooled/data-access';

const text = 'sk_test_sKgK4S3bjKtq1R63qCtjPSSo64mhRExCXho9kglkQcQ';

/** A key as earlier versions stored it: with a bcrypt hash of cost 12, and no digest. */
export const legacyKey = {
  text,
  lookup: lookupOf(text),
  bcryptHash: '$2b$12$yNwyg28qljxfIlY8IqKOaODQu1tf4TCVD1Ph5LEp2CJDOPDh6tp6W',
};
