import { Module } from '@nestjs/common';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { BillingController } from './billing.controller.js';
import { EmailController } from './email.controller.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsService } from './organizations.service.js';
import { RegistrationController } from './registration.controller.js';
import { WebhookTokensController } from './webhook-tokens.controller.js';

/** Organizations and their API keys. */
@Module({
  // Registration first: its fixed paths win over /organizations/{id}.
  controllers: [
    RegistrationController,
    WebhookTokensController,
    OrganizationsController,
    ApiKeysController,
    BillingController,
    EmailController,
  ],
  providers: [OrganizationsService, ApiKeysService],
  exports: [OrganizationsService, ApiKeysService],
})
export class TenantsModule {}
