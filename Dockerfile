# BASE must have python3.11 with venv; pin it by digest where you build:
#   --build-arg BASE=python:3.11-slim-bookworm@sha256:...
ARG BASE=python:3.11-slim-bookworm

# Both stages have the same base, so that the environment made in one runs in the other.
FROM ${BASE} AS build
# requirements-tracing.lock for an image that can trace.
ARG LOCK=requirements.lock
# The time of every file and archive: the same sources on the same base are to give the same bytes.
ARG SOURCE_DATE_EPOCH=315532800
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore PYTHONHASHSEED=0
WORKDIR /src
# The image gets an environment without pip; this one fills it.
RUN python3 -m venv /build && python3 -m venv --without-pip /app
COPY requirements.lock requirements-tracing.lock requirements-build.lock ./
RUN /build/bin/pip install --require-hashes --only-binary=:all: -r requirements-build.lock \
 && /build/bin/pip --python /app/bin/python install --no-compile --require-hashes --only-binary=:all: \
      -r "$LOCK"
COPY pyproject.toml LICENSE ./
COPY src src
# Compiled here, since nothing can be written where it runs; by hash, not by time, and not checked at start.
RUN /build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
 && /build/bin/pip --python /app/bin/python install --no-compile --no-deps --no-index /wheels/*.whl \
 && /app/bin/python -m compileall -q --invalidation-mode unchecked-hash /app/lib \
 && find /app -exec touch --no-dereference --date="@${SOURCE_DATE_EPOCH}" {} +

FROM ${BASE}
ARG BASE
ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="tarneeb-service" \
      org.opencontainers.image.description="A stateless rules engine for the Tarneeb card-game family, served over gRPC" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.base.name="${BASE}"
ENV PATH=/app/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
COPY --from=build /app /app
# A number, since Kubernetes can't know that a name is not root. It owns nothing and writes nothing.
USER 10001:10001
EXPOSE 50051 50052 9464
# No HEALTHCHECK: the orchestrator probes over gRPC.
ENTRYPOINT ["tarneeb-service"]
CMD ["serve"]
