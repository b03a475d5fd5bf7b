# BASE must have python3.11 with venv; pin it by digest where you build:
#   --build-arg BASE=python:3.11-slim-bookworm@sha256:...
ARG BASE=python:3.11-slim-bookworm

# Both stages have the same base, so that the environment made in one runs in the other.
FROM ${BASE} AS build
# requirements-tracing.lock for an image that can trace.
ARG LOCK=requirements.lock
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /src
# The image gets an environment without pip; this one fills it.
RUN python3 -m venv /build && python3 -m venv --without-pip /app
COPY requirements.lock requirements-tracing.lock requirements-build.lock ./
RUN /build/bin/pip install --require-hashes --only-binary=:all: -r requirements-build.lock \
 && /build/bin/pip --python /app/bin/python install --require-hashes --only-binary=:all: -r "$LOCK"
COPY pyproject.toml LICENSE ./
COPY src src
RUN /build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
 && /build/bin/pip --python /app/bin/python install --no-deps --no-index /wheels/*.whl

FROM ${BASE}
LABEL org.opencontainers.image.title="tarneeb-service" \
      org.opencontainers.image.description="A stateless rules engine for the Tarneeb card-game family, served over gRPC" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV PATH=/app/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
COPY --from=build /app /app
# A number, since Kubernetes can't know that a name is not root. It owns nothing and writes nothing.
USER 10001:10001
EXPOSE 50051 9464
# No HEALTHCHECK: the orchestrator probes over gRPC.
ENTRYPOINT ["tarneeb-service"]
CMD ["serve"]
