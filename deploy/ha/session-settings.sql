-- For the role of DATABASE_URL where PgBouncer drops the settings that the service asks for when it connects
-- (ignore_startup_parameters = options). The service checks them on every connection, and refuses one without them.
-- Run it as the owner of the role:  psql -v role=assay_service -f session-settings.sql
-- Then tell PgBouncer to open its sessions again:  RECONNECT;  on its console.
ALTER ROLE :"role" SET synchronous_commit = 'on';
ALTER ROLE :"role" SET statement_timeout = '6s';
ALTER ROLE :"role" SET lock_timeout = '3s';
ALTER ROLE :"role" SET idle_in_transaction_session_timeout = '1s';
ALTER ROLE :"role" SET default_transaction_isolation = 'read committed';
ALTER ROLE :"role" SET jit = 'off';
