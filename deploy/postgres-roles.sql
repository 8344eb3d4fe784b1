-- The two roles of docs/operating.md: one owns the tables, the other is the service's. For psql, as a superuser, in the
-- new database; compose runs it once, when PostgreSQL makes its files. The passwords come from the environment.
\set ON_ERROR_STOP on
\getenv owner_password ASSAY_OWNER_PASSWORD
\getenv service_password ASSAY_SERVICE_PASSWORD
CREATE ROLE assay_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE assay_service LOGIN PASSWORD :'service_password';
ALTER DATABASE :"DBNAME" OWNER TO assay_owner;
REVOKE TEMPORARY ON DATABASE :"DBNAME" FROM PUBLIC;
